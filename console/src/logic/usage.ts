/** Totals and chart data from the points of `/analytics/timeseries`. */
import { formatCount, formatDuration, formatPercent, parseTime } from './format';

export interface UsagePoint {
  start: string;
  calls: number;
  failures: number;
  avg_ms: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
}

export interface UsageTotals {
  calls: number;
  failures: number;
  /** Percent; undefined without calls. */
  successRate: number | undefined;
  /** Of all calls; undefined without calls. */
  averageMs: number | undefined;
}

export function usageTotals(points: readonly UsagePoint[]): UsageTotals {
  let calls = 0;
  let failures = 0;
  let totalMs = 0;
  for (const point of points) {
    calls += point.calls;
    failures += point.failures;
    totalMs += point.avg_ms * point.calls;
  }
  return {
    calls,
    failures,
    successRate: calls === 0 ? undefined : ((calls - failures) / calls) * 100,
    averageMs: calls === 0 ? undefined : totalMs / calls,
  };
}

/**
 * The position of a point on the time axis. Days are UTC days, drawn at local midnight of the same date: west of
 * Greenwich they would otherwise be labelled with the day before.
 */
export function pointTime(start: string, interval: 'hour' | 'day'): Date {
  if (interval === 'hour') return parseTime(start);
  const [year = 0, month = 1, day = 1] = start.slice(0, 10).split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** `+12 %`, `−3 %`, compared with the previous value; undefined if that is zero. */
export function formatChange(current: number, previous: number): string | undefined {
  if (previous === 0) return undefined;
  const percent = ((current - previous) / previous) * 100;
  const rounded = Math.abs(percent) >= 10 ? Math.round(percent) : Math.round(percent * 10) / 10;
  if (rounded === 0) return 'no change';
  return `${rounded > 0 ? '+' : '−'}${formatPercent(Math.abs(rounded))}`;
}

/** Totals of the previous range, or why there are none. */
export type PreviousTotals = UsageTotals | 'loading' | 'failed';

/** Text for each total that compares it with `period`, for example `the previous 7 days`. */
export type UsageNotes = Record<keyof UsageTotals, string>;

export function usageNotes(totals: UsageTotals, previous: PreviousTotals, period: string): UsageNotes {
  if (previous === 'loading' || previous === 'failed') {
    const note = previous === 'loading' ? ' ' : `could not load ${period}`;
    return { calls: note, failures: note, successRate: note, averageMs: note };
  }
  const compare = (field: 'calls' | 'failures' | 'averageMs', format: (value: number) => string): string => {
    const [value, other] = [totals[field], previous[field]];
    if (other === undefined || other === 0) return `none in ${period}`;
    return value === undefined ? `${format(other)} in ${period}` : `${formatChange(value, other)} vs. ${period}`;
  };
  return {
    calls: compare('calls', formatCount),
    failures: compare('failures', formatCount),
    successRate: previous.successRate === undefined ? ' ' : `${formatPercent(previous.successRate)} in ${period}`,
    averageMs: compare('averageMs', formatDuration),
  };
}

/** Length of a bar relative to the longest one, in percent. */
export function percentOf(value: number, max: number): number {
  return max > 0 ? Math.min(100, (value / max) * 100) : 0;
}
