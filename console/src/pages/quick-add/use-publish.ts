/** Test and Publish: the server first, where it is new, then the tool. */
import { post } from '../../api/client';
import type { Tool } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { saveTool } from './save-tool';
import type { QuickAdd, ServerPlan } from './use-quick-add';

export interface Publish {
  /** Saves the tool; undefined where that failed, and the faults say why. */
  save: (status: 'active' | 'paused') => Promise<Tool | undefined>;
  busy: boolean;
  toolFaults: Record<string, string>;
  serverNameFault: string | undefined;
  general: string | undefined;
  /** What was at fault is being mended. */
  clear: () => void;
}

export function usePublish(quickAdd: QuickAdd, plan: ServerPlan, suggestedName: string): Publish {
  const makeServer = useMutation(
    () => post('/servers', { name: plan.name ?? suggestedName, auth_type: plan.auth, status: 'active' }),
    ['name'],
  );
  const makeTool = useMutation(
    (serverId: number, status: 'active' | 'paused') => {
      if (!quickAdd.tool) throw new Error('There is no tool to save yet.');
      return saveTool(quickAdd.tool, serverId, quickAdd.saved, status);
    },
    ['name', 'description'],
  );

  const serverIdOf = async () => {
    if (plan.id !== undefined) return plan.id;
    const created = await makeServer.run();
    if (!created) return undefined;
    quickAdd.setServer({ ...plan, id: created.data.id });
    return created.data.id;
  };
  const save = async (status: 'active' | 'paused') => {
    const serverId = await serverIdOf();
    if (serverId === undefined) return undefined;
    const tool = await makeTool.run(serverId, status);
    if (tool) quickAdd.setSaved({ id: tool.id, serverId });
    return tool;
  };
  return {
    save,
    busy: makeServer.busy || makeTool.busy,
    toolFaults: makeTool.fields,
    serverNameFault: makeServer.fields.name,
    general: makeTool.general ?? makeServer.general,
    clear: () => {
      makeServer.clear();
      makeTool.clear();
    },
  };
}
