/** The last call of each tool: from recent calls, from reports for older ones, and from the live stream. */
import { useState } from 'preact/hooks';
import { get } from '../../../api/client';
import { useQuery } from '../../../api/use-query';
import { useStream } from '../../../api/use-stream';

export interface LastCall {
  time: string;
  /** Undefined if only the time is known. */
  outcome: string | undefined;
  reason: string | null;
}

/** Undefined while loading; tools without an entry have no known calls. */
export function useLastCalls(serverId: number): ReadonlyMap<number, LastCall> | undefined {
  const [liveCalls, setLiveCalls] = useState<ReadonlyMap<number, LastCall>>(new Map());
  const storedCalls = useQuery((signal) => loadLastCalls(serverId, signal), [serverId]);
  useStream(
    { server: serverId },
    { onCall: (call) => setLiveCalls((previous) => new Map(previous).set(call.tool_id, call)) },
  );
  // Optional information: after an error the column stays empty.
  if (storedCalls.loading) return undefined;
  return new Map([...(storedCalls.data ?? []), ...liveCalls]);
}

async function loadLastCalls(serverId: number, signal: AbortSignal): Promise<Map<number, LastCall>> {
  const query = { server: serverId, per_page: 100 };
  const [reports, calls] = await Promise.all([
    get('/analytics/tools', { query: { ...query, unused: false }, signal }),
    get('/calls', { query, signal }),
  ]);
  const lastCalls = new Map<number, LastCall>();
  for (const { tool_id, last_call } of reports.data) {
    if (last_call !== null) lastCalls.set(tool_id, { time: last_call, outcome: undefined, reason: null });
  }
  for (const call of calls.data.toReversed()) lastCalls.set(call.tool_id, call);
  return lastCalls;
}
