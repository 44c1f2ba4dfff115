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
  /** Of the previous range. */
  previous: readonly TimePoint[] | undefined;
}

export function UsageStats({ range, points, previous }: UsageStatsProps) {
  const totals = points && usageTotals(points);
  const previousTotals = previous && usageTotals(previous);
  const previousPeriod = daysIn(range) === 1 ? 'the previous day' : `the previous ${daysIn(range)} days`;
  const compare = (value: number | undefined, other: number | undefined) => {
    const difference = value === undefined || other === undefined ? undefined : formatChange(value, other);
    return difference === undefined ? `none in ${previousPeriod}` : `${difference} vs. ${previousPeriod}`;
  };
  const valueOrDash = (value: number | undefined, format: (value: number) => string) =>
    totals && (value === undefined ? '–' : format(value));
  return (
    <div class="analytics-figures">
      <Stat
        label="Calls"
        value={valueOrDash(totals?.calls, formatCount)}
        note={compare(totals?.calls, previousTotals?.calls)}
      />
      <Stat
        label="Failures"
        value={valueOrDash(totals?.failures, formatCount)}
        tone={totals && totals.failures > 0 ? 'bad' : undefined}
        note={
          previousTotals?.failures === 0
            ? `none in ${previousPeriod}`
            : compare(totals?.failures, previousTotals?.failures)
        }
      />
      <Stat
        label="Success rate"
        value={valueOrDash(totals?.successRate, formatPercent)}
        note={
          previousTotals?.successRate === undefined
            ? ' '
            : `${formatPercent(previousTotals.successRate)} in ${previousPeriod}`
        }
      />
      <Stat
        label="Average time"
        value={valueOrDash(totals?.averageMs, formatDuration)}
        note={compare(totals?.averageMs, previousTotals?.averageMs)}
      />
    </div>
  );
}
