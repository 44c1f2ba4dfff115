/** Totals of the range, each compared with the previous range. */
import type { TimePoint } from '../../api/types';
import type { Query } from '../../api/use-query';
import { formatCount, formatDuration, formatPercent } from '../../logic/format';
import { type DayRange, daysIn } from '../../logic/range';
import { type PreviousTotals, usageNotes, usageTotals } from '../../logic/usage';
import { Stat } from '../../ui/Card';

export interface UsageStatsProps {
  range: DayRange;
  /** Undefined while they load. */
  points: readonly TimePoint[] | undefined;
  /** The points of the previous range. */
  previous: Omit<Query<{ data: readonly TimePoint[] }>, 'set'>;
}

export function UsageStats({ range, points, previous }: UsageStatsProps) {
  const totals = points && usageTotals(points);
  const previousPeriod = daysIn(range) === 1 ? 'the previous day' : `the previous ${daysIn(range)} days`;
  const notes = totals && usageNotes(totals, previousTotals(previous), previousPeriod);
  const valueOrDash = (value: number | undefined, format: (value: number) => string) =>
    totals && (value === undefined ? '–' : format(value));
  return (
    <div class="analytics-stats">
      <Stat label="Calls" value={valueOrDash(totals?.calls, formatCount)} note={notes?.calls} />
      <Stat
        label="Failures"
        value={valueOrDash(totals?.failures, formatCount)}
        tone={totals && totals.failures > 0 ? 'bad' : undefined}
        note={notes?.failures}
      />
      <Stat label="Success rate" value={valueOrDash(totals?.successRate, formatPercent)} note={notes?.successRate} />
      <Stat label="Average time" value={valueOrDash(totals?.averageMs, formatDuration)} note={notes?.averageMs} />
    </div>
  );
}

/** The data of a query that reloads or has failed may belong to another range, so it is not used. */
function previousTotals({ data, error, loading, reloading }: UsageStatsProps['previous']): PreviousTotals {
  if (loading || reloading) return 'loading';
  return error || !data ? 'failed' : usageTotals(data.data);
}
