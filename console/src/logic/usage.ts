/** Figures and lines of a report, from the points of `/analytics/timeseries`. */
import { formatPercent, parseTime } from './format';

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
  let spentMs = 0;
  for (const point of points) {
    calls += point.calls;
    failures += point.failures;
    spentMs += point.avg_ms * point.calls;
  }
  return {
    calls,
    failures,
    successRate: calls === 0 ? undefined : ((calls - failures) / calls) * 100,
    averageMs: calls === 0 ? undefined : spentMs / calls,
  };
}

/**
 * Where a point stands on the axis. Days are UTC days: they are drawn at the reader's midnight of that date, or else
 * they would bear the name of the day before west of Greenwich.
 */
export function pointTime(start: string, interval: 'hour' | 'day'): Date {
  if (interval === 'hour') return parseTime(start);
  const [year = 0, month = 1, day = 1] = start.slice(0, 10).split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** `+12 %`, `−3 %`, against the time before; undefined where there was nothing. */
export function change(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const percent = ((now - before) / before) * 100;
  const rounded = Math.abs(percent) >= 10 ? Math.round(percent) : Math.round(percent * 10) / 10;
  if (rounded === 0) return 'no change';
  return `${rounded > 0 ? '+' : '−'}${formatPercent(Math.abs(rounded))}`;
}

/** How long a bar is beside the longest of them, in percent. */
export function share(value: number, most: number): number {
  return most > 0 ? Math.min(100, (value / most) * 100) : 0;
}
