/** Steps after pasting: choose a server, test, publish. */
import { useState } from 'preact/hooks';
import type { Server, Tool } from '../../api/types';
import { currentQuery, navigate } from '../../app/router';
import { mayChangeData, splitWarnings } from '../../logic/curl-edits';
import { pastedArguments } from '../../logic/curl-tool';
import type { JsonObject } from '../../logic/json';
import { suggestServerName } from '../../logic/server-name';
import { toast } from '../../ui/Toast';
import { type PublishState, usePublish } from './use-publish';
import type { PlannedTool, QuickAdd, ServerPlan } from './use-quick-add';

/** A saved tool under test, with the pasted values as arguments. */
export interface TestedTool {
  tool: Tool;
  arguments: JsonObject;
  /** Distinguishes repeated tests of the same tool. */
  round: number;
  /** The tool as tested. */
  planned: PlannedTool;
}

export interface Steps {
  serverPlan: ServerPlan;
  /** The name of a new server, unless the user enters another. */
  suggestedName: string;
  /** The state of saving, which both Test and Publish do. */
  publish: PublishState;
  tested: TestedTool | undefined;
  /** Why Test and Publish are disabled. */
  blockedReason: string | undefined;
  /** Runs the test, or opens a dialog that asks first if the request may change data. */
  startTest: () => void;
  /** The dialog that asks whether to send the request is open. */
  isConfirmingTest: boolean;
  cancelTest: () => void;
  /** Saves the tool as paused and tests it. */
  runTest: () => Promise<void>;
  publishTool: () => Promise<void>;
}

export function useSteps(quickAdd: QuickAdd, servers: readonly Server[]): Steps {
  const [tested, setTested] = useState<TestedTool>();
  const [isConfirmingTest, setConfirmingTest] = useState(false);
  const serverPlan = quickAdd.form.server ?? defaultPlan(servers);
  const suggestedName = suggestServerName(quickAdd.tool?.parts.endpoint_url ?? '');
  const publish = usePublish(quickAdd, serverPlan, suggestedName);

  const runTest = async () => {
    const planned = quickAdd.tool;
    const tool = await publish.save('paused');
    if (!tool || !planned) return focusFirstError();
    const example = pastedArguments(planned.rows);
    setTested((previous) => ({ tool, arguments: example, round: (previous?.round ?? 0) + 1, planned }));
  };
  const startTest = () => {
    if (mayChangeData(quickAdd.tool?.draft.http_method ?? '')) setConfirmingTest(true);
    else void runTest();
  };
  const publishTool = async () => {
    const tool = await publish.save('active');
    if (!tool) return focusFirstError();
    toast(`Published ${tool.name}.`);
    setTested(undefined);
    if (quickAdd.goToNext()) return window.scrollTo(0, 0);
    quickAdd.discard();
    void navigate(`/servers/${tool.server_id}/connect`);
  };
  // Hide the test of another tool.
  const shownTest = tested && tested.tool.id === quickAdd.saved?.id ? tested : undefined;
  return {
    serverPlan,
    suggestedName,
    publish,
    tested: shownTest,
    blockedReason: findBlockedReason(quickAdd),
    startTest,
    isConfirmingTest,
    cancelTest: () => setConfirmingTest(false),
    runTest,
    publishTool,
  };
}

/** Focuses the first invalid field after rendering; it may be out of view. */
function focusFirstError(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('#content [aria-invalid=true]')?.focus());
}

/**
 * The default server: the one in the query string, else the last changed active one, else any; never the demo server
 * unless the query string names it.
 */
function defaultPlan(servers: readonly Server[]): ServerPlan {
  const requestedId = Number(currentQuery.value.get('server'));
  const withoutDemo = servers.filter(({ settings }) => settings?.demo !== true);
  const server =
    servers.find(({ id }) => id === requestedId) ??
    withoutDemo.find(({ status }) => status === 'active') ??
    withoutDemo[0];
  return { id: server?.id, auth: 'api-key' };
}

function findBlockedReason({ imported, tool }: QuickAdd): string | undefined {
  if (imported.error)
    return imported.error.params.curl ? 'Correct the command first.' : 'The command could not be parsed.';
  if (imported.pending) return 'Parsing the command…';
  if (tool && tool.missing.length > 0) return `Enter the value of ${tool.missing.join(' and ')} first.`;
  if (tool && Object.keys(tool.errors).length > 0) return 'Correct the argument names first.';
  if (splitWarnings(tool?.draft.warnings ?? []).blocking.length > 0) return 'Resolve the error above first.';
  return undefined;
}
