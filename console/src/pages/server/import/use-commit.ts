/** Creates the selected tools: one request, which the service runs as one transaction. */
import { useRef, useState } from 'preact/hooks';
import { get } from '../../../api/client';
import { type ApiError, isAbort, toApiError } from '../../../api/errors';
import type { ToolImport } from '../../../api/types';
import type { ImportRequest } from '../../../logic/import-request';
import { commitImport } from './read-document';

export type CommitState =
  | { phase: 'idle' }
  | { phase: 'running'; tools: number; startedAt: number }
  | { phase: 'stopping'; tools: number; startedAt: number }
  /** `created`: tools that the service had written before it noticed the end of the request; null if unknown. */
  | { phase: 'stopped'; created: number | null }
  | { phase: 'failed'; error: ApiError }
  | { phase: 'done'; result: ToolImport };

export interface Commit {
  state: CommitState;
  run: (request: ImportRequest, tools: number) => Promise<void>;
  stop: () => void;
  reset: () => void;
}

/** After a stop, the number of tools is checked up to `checksMax` times, each after this delay. */
const checkDelayMs = 1_000;
const checksMax = 4;

export function useCommit(serverId: number): Commit {
  const [state, setState] = useState<CommitState>({ phase: 'idle' });
  const controller = useRef<AbortController>();

  const run = async (request: ImportRequest, tools: number) => {
    const abort = new AbortController();
    controller.current = abort;
    setState({ phase: 'running', tools, startedAt: Date.now() });
    let before: number | undefined;
    try {
      before = await toolCount(serverId);
      abort.signal.throwIfAborted();
      setState({ phase: 'done', result: await commitImport(serverId, request, abort.signal) });
    } catch (cause) {
      if (!isAbort(cause)) setState({ phase: 'failed', error: toApiError(cause) });
      else setState({ phase: 'stopped', created: await countCreated(serverId, before) });
    }
  };
  return {
    state,
    run,
    stop: () => {
      controller.current?.abort();
      setState((previous) => (previous.phase === 'running' ? { ...previous, phase: 'stopping' } : previous));
    },
    reset: () => setState({ phase: 'idle' }),
  };
}

/** The tools that were created although the request was stopped. */
async function countCreated(serverId: number, before: number | undefined): Promise<number | null> {
  if (before === undefined) return 0;
  let created = 0;
  for (let checks = 0; checks < checksMax && created === 0; checks += 1) {
    await new Promise((resolve) => setTimeout(resolve, checkDelayMs));
    const now = await toolCount(serverId).catch(() => undefined);
    if (now === undefined) return null;
    created = now - before;
  }
  return created;
}

async function toolCount(serverId: number): Promise<number> {
  const { data } = await get('/servers/{id}', { path: { id: serverId } });
  return data.tool_count;
}
