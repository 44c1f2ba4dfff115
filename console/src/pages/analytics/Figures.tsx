/** The range in four numbers, each beside the range before. */
import type { TimePoint } from '../../api/types';
import { formatCount, formatDuration, formatPercent } from '../../logic/format';
import { type DayRange, daysIn } from '../../logic/range';
import { change, usageTotals } from '../../logic/usage';
import { Stat } from '../../ui/Card';

export interface FiguresProps {
  range: DayRange;
  /** Undefined while they load. */
  points: readonly TimePoint[] | undefined;
  before: readonly TimePoint[] | undefined;
}

export function Figures({ range, points, before }: FiguresProps) {
  const now = points && usageTotals(points);
  const past = before && usageTotals(before);
  const against = daysIn(range) === 1 ? 'the day before' : `the ${daysIn(range)} days before`;
  const beside = (value: number | undefined, other: number | undefined) => {
    const difference = value === undefined || other === undefined ? undefined : change(value, other);
    return difference === undefined ? `nothing in ${against}` : `${difference} against ${against}`;
  };
  const orNone = (value: number | undefined, format: (value: number) => string) =>
    now && (value === undefined ? '–' : format(value));
  return (
    <div class="analytics-figures">
      <Stat label="Calls" value={orNone(now?.calls, formatCount)} note={beside(now?.calls, past?.calls)} />
      <Stat
        label="Failures"
        value={orNone(now?.failures, formatCount)}
        tone={now && now.failures > 0 ? 'bad' : undefined}
        note={past?.failures === 0 ? `none in ${against}` : beside(now?.failures, past?.failures)}
      />
      <Stat
        label="Success rate"
        value={orNone(now?.successRate, formatPercent)}
        note={past?.successRate === undefined ? ' ' : `${formatPercent(past.successRate)} in ${against}`}
      />
      <Stat
        label="Average time"
        value={orNone(now?.averageMs, formatDuration)}
        note={beside(now?.averageMs, past?.averageMs)}
      />
    </div>
  );
}
