/** Totals of the range, each compared with the previous range. */
import type { TimePoint } from '../../api/types';
import { formatCount, formatDuration, formatPercent } from '../../logic/format';
import { type DayRange, daysIn } from '../../logic/range';
import { formatChange, usageTotals } from '../../logic/usage';
import { Stat } from '../../ui/Card';

export interface UsageStatsProps {
  range: DayRange;
  /** Undefined while they load. */
  points: readonly TimePoint[] | undefined;
  before: readonly TimePoint[] | undefined;
}

export function UsageStats({ range, points, before }: UsageStatsProps) {
  const now = points && usageTotals(points);
  const past = before && usageTotals(before);
  const previousPeriod = daysIn(range) === 1 ? 'the previous day' : `the previous ${daysIn(range)} days`;
  const compare = (value: number | undefined, other: number | undefined) => {
    const difference = value === undefined || other === undefined ? undefined : formatChange(value, other);
    return difference === undefined ? `none in ${previousPeriod}` : `${difference} vs. ${previousPeriod}`;
  };
  const orNone = (value: number | undefined, format: (value: number) => string) =>
    now && (value === undefined ? '–' : format(value));
  return (
    <div class="analytics-figures">
      <Stat label="Calls" value={orNone(now?.calls, formatCount)} note={compare(now?.calls, past?.calls)} />
      <Stat
        label="Failures"
        value={orNone(now?.failures, formatCount)}
        tone={now && now.failures > 0 ? 'bad' : undefined}
        note={past?.failures === 0 ? `none in ${previousPeriod}` : compare(now?.failures, past?.failures)}
      />
      <Stat
        label="Success rate"
        value={orNone(now?.successRate, formatPercent)}
        note={past?.successRate === undefined ? ' ' : `${formatPercent(past.successRate)} in ${previousPeriod}`}
      />
      <Stat
        label="Average time"
        value={orNone(now?.averageMs, formatDuration)}
        note={compare(now?.averageMs, past?.averageMs)}
      />
    </div>
  );
}
