/** Data of the Home page: failing tools, the order of servers and their calls. */
import { formatCount, plural } from './format';

export interface ToolStats {
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

/** A failing tool, with its last failed call if known. */
export interface FailingTool extends ToolStats {
  lastFailedCall: FailedCall | undefined;
}

/** At most `max` failing tools, most failures first. `failedCalls` are sorted newest first. */
export function failingTools(
  tools: readonly ToolStats[],
  failedCalls: readonly FailedCall[],
  max: number,
): FailingTool[] {
  return tools
    .filter(({ failures }) => failures > 0)
    .toSorted((one, other) => other.failures - one.failures || other.failure_rate - one.failure_rate)
    .slice(0, max)
    .map((tool) => ({ ...tool, lastFailedCall: failedCalls.find((call) => call.tool_id === tool.tool_id) }));
}

/** Sorts servers by calls, most first; servers without calls stay in order. */
export function busiestFirst<S extends { id: number }>(servers: readonly S[], tools: readonly ToolStats[]): S[] {
  const calls = new Map<number, number>();
  for (const tool of tools) calls.set(tool.server_id, (calls.get(tool.server_id) ?? 0) + tool.calls);
  return servers.toSorted((one, other) => (calls.get(other.id) ?? 0) - (calls.get(one.id) ?? 0));
}

export interface HourCounts {
  calls: number;
  failures: number;
}

export interface ActivityTexts {
  calls: string;
  /** Undefined if the number of failures is unknown. */
  failures: string | undefined;
  hasFailures: boolean;
}

/** Texts for the calls of a server in `hours`. Undefined while the hours load: if there are none, and no error. */
export function activityTexts(hours: readonly HourCounts[] | undefined, hasError: boolean): ActivityTexts | undefined {
  if (hasError) return { calls: 'unknown', failures: undefined, hasFailures: false };
  if (!hours) return undefined;
  const failures = hours.reduce((sum, hour) => sum + hour.failures, 0);
  return {
    calls: plural(
      hours.reduce((sum, hour) => sum + hour.calls, 0),
      'call',
    ),
    failures: failures > 0 ? `${formatCount(failures)} failed` : 'none failed',
    hasFailures: failures > 0,
  };
}

/** Text for today's number of calls that compares it with all of yesterday: `1,204 yesterday`. */
export function compareWithYesterday(today: number, yesterday: number): string {
  if (yesterday === 0) return today === 0 ? 'none yesterday either' : 'none yesterday';
  return `${yesterday.toLocaleString('en')} yesterday`;
}

/** Start of the 24 hourly points up to the current hour, as the reports expect it. */
export function last24HoursStart(now: Date): string {
  const hourMs = 3_600_000;
  const start = new Date(Math.floor(now.getTime() / hourMs) * hourMs - 23 * hourMs);
  return start.toISOString().slice(0, 19);
}
