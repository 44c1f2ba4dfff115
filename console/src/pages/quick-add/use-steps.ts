/** The steps after pasting: choose a server, Test, Publish. */
import { useState } from 'preact/hooks';
import type { Server, Tool } from '../../api/types';
import { currentQuery, navigate } from '../../app/router';
import { sortWarnings } from '../../logic/curl-edits';
import { exampleArguments } from '../../logic/curl-toggles';
import type { JsonObject } from '../../logic/json';
import { suggestServerName } from '../../logic/server-name';
import { toast } from '../../ui/Toast';
import { type Publish, usePublish } from './use-publish';
import type { PlannedTool, QuickAdd, ServerPlan } from './use-quick-add';

/** A tool as it was saved to be tried out, with what was pasted. */
export interface Tested {
  tool: Tool;
  arguments: JsonObject;
  /** The same tool, tested again, is another test. */
  round: number;
  /** What it was when it was tested. */
  planned: PlannedTool;
}

export interface Steps {
  plan: ServerPlan;
  suggestedName: string;
  publish: Publish;
  tested: Tested | undefined;
  /** Why there is nothing to save now. */
  obstacle: string | undefined;
  test: () => Promise<void>;
  goLive: () => Promise<void>;
}

export function useSteps(quickAdd: QuickAdd, servers: readonly Server[]): Steps {
  const [tested, setTested] = useState<Tested>();
  const plan = quickAdd.form.server ?? usualPlan(servers);
  const suggestedName = suggestServerName(quickAdd.tool?.parts.endpoint_url ?? '');
  const publish = usePublish(quickAdd, plan, suggestedName);

  const test = async () => {
    const planned = quickAdd.tool;
    const tool = await publish.save('paused');
    if (!tool || !planned) return showFault();
    const example = exampleArguments(planned.rows);
    setTested((before) => ({ tool, arguments: example, round: (before?.round ?? 0) + 1, planned }));
  };
  const goLive = async () => {
    const tool = await publish.save('active');
    if (!tool) return showFault();
    toast(`${tool.name} is published.`);
    setTested(undefined);
    if (quickAdd.goToNext()) return window.scrollTo(0, 0);
    quickAdd.done();
    void navigate(`/servers/${tool.server_id}/connect`);
  };
  // Of several tools, the test of another one is not of interest here.
  const shown = tested && tested.tool.id === quickAdd.saved?.id ? tested : undefined;
  return { plan, suggestedName, publish, tested: shown, obstacle: obstacleOf(quickAdd), test, goLive };
}

/** To the field at fault, once it is marked: it may be out of sight. */
function showFault(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('#content [aria-invalid=true]')?.focus());
}

/**
 * Without a choice: the server that the address names, else the one last changed that clients reach, else any. The demo
 * is no place for tools of one's own: better a new server.
 */
function usualPlan(servers: readonly Server[]): ServerPlan {
  const asked = Number(currentQuery.value.get('server'));
  const own = servers.filter(({ settings }) => settings?.demo !== true);
  const server = servers.find(({ id }) => id === asked) ?? own.find(({ status }) => status === 'active') ?? own[0];
  return { id: server?.id, auth: 'api-key' };
}

function obstacleOf({ imported, tool }: QuickAdd): string | undefined {
  if (imported.error)
    return imported.error.params.curl ? 'The command has a fault: mend it first.' : 'The command was not read.';
  if (imported.pending) return 'The command is being read…';
  if (tool && Object.keys(tool.faults).length > 0) return 'The name of an argument has a fault.';
  if (sortWarnings(tool?.draft.warnings ?? []).blocking.length > 0) return 'A warning above stands in the way.';
  return undefined;
}
