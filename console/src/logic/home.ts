/** What the first page shows of reports: which tools fail, which servers come first. */

export interface ToolFigures {
  tool_id: number;
  tool_name: string;
  server_id: number;
  server_name: string;
  calls: number;
  failures: number;
  failure_rate: number;
}

export interface FailedCall {
  tool_id: number;
  time: string;
  reason: string | null;
  advice: string | null;
}

/** A tool that fails, with the reason of its last failure where that is known. */
export interface FailingTool extends ToolFigures {
  last: FailedCall | undefined;
}

/** The most failures first; `failed` are calls, newest first. */
export function failingTools(
  tools: readonly ToolFigures[],
  failed: readonly FailedCall[],
  most: number,
): FailingTool[] {
  return tools
    .filter(({ failures }) => failures > 0)
    .toSorted((one, other) => other.failures - one.failures || other.failure_rate - one.failure_rate)
    .slice(0, most)
    .map((tool) => ({ ...tool, last: failed.find((call) => call.tool_id === tool.tool_id) }));
}

/** Servers that are called come first, the busiest before the others; the rest stays in its order. */
export function busiestFirst<S extends { id: number }>(servers: readonly S[], tools: readonly ToolFigures[]): S[] {
  const calls = new Map<number, number>();
  for (const tool of tools) calls.set(tool.server_id, (calls.get(tool.server_id) ?? 0) + tool.calls);
  return servers.toSorted((one, other) => (calls.get(other.id) ?? 0) - (calls.get(one.id) ?? 0));
}

/** `connection_refused` → `connection refused`; `upstream_5xx` → `API answered 5xx`. */
export function reasonInWords(reason: string): string {
  const status = /^upstream_(\dxx)$/.exec(reason)?.[1];
  if (status !== undefined) return `API answered ${status}`;
  return reason === 'dns' || reason === 'tls' ? reason.toUpperCase() : reason.replaceAll('_', ' ');
}

/** How today compares with all of yesterday. */
export function versusYesterday(today: number, yesterday: number): string {
  if (yesterday === 0) return today === 0 ? 'none yesterday either' : 'none yesterday';
  return `${yesterday.toLocaleString('en')} yesterday`;
}

/** The moment 23 hours before the beginning of this hour, as reports take it: 24 points with the current one. */
export function dayAgo(now: Date): string {
  const hour = 3_600_000;
  const start = new Date(Math.floor(now.getTime() / hour) * hour - 23 * hour);
  return start.toISOString().slice(0, 19);
}
