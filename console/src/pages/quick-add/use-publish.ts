/** Saves the tool for Test and Publish; creates the server first if it is new. */
import { post } from '../../api/client';
import type { Tool } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { newServerSettings } from '../../logic/server-form';
import { saveTool } from './save-tool';
import type { QuickAdd, ServerPlan } from './use-quick-add';

export interface PublishState {
  /** Saves the tool; undefined on failure, with the errors below. */
  save: (status: 'active' | 'paused') => Promise<Tool | undefined>;
  busy: boolean;
  toolErrors: Record<string, string>;
  serverNameError: string | undefined;
  /** The message of errors that belong to no field. */
  generalError: string | undefined;
  /** Clears the errors when the user edits the form. */
  clear: () => void;
}

export function usePublish(quickAdd: QuickAdd, plan: ServerPlan, suggestedName: string): PublishState {
  const createServer = useMutation(
    () =>
      post('/servers', {
        name: plan.name ?? suggestedName,
        auth_type: plan.auth,
        status: 'active',
        settings: newServerSettings,
      }),
    ['name'],
  );
  const writeTool = useMutation(
    (serverId: number, status: 'active' | 'paused') => {
      if (!quickAdd.tool) throw new Error('There is no tool to save.');
      return saveTool(quickAdd.tool, serverId, quickAdd.saved, status);
    },
    ['name', 'description'],
  );

  const ensureServer = async () => {
    if (plan.id !== undefined) return plan.id;
    const created = await createServer.run();
    if (!created) return undefined;
    quickAdd.setServer({ ...plan, id: created.data.id });
    return created.data.id;
  };
  const save = async (status: 'active' | 'paused') => {
    const serverId = await ensureServer();
    if (serverId === undefined) return undefined;
    const tool = await writeTool.run(serverId, status);
    if (tool) quickAdd.setSaved({ id: tool.id, serverId });
    return tool;
  };
  return {
    save,
    busy: createServer.busy || writeTool.busy,
    toolErrors: writeTool.fields,
    serverNameError: createServer.fields.name,
    generalError: writeTool.general ?? createServer.general,
    clear: () => {
      createServer.clear();
      writeTool.clear();
    },
  };
}
