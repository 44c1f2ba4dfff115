import type { TimePoint } from '../../api/types';
import { formatAbsolute, formatCount } from '../../logic/format';
import { formatRange } from '../../logic/range';
import { pointTime } from '../../logic/usage';
import { type Column, Table } from '../../ui/Table';
import { durationOrDash } from './cells';

export interface PointsTableProps {
  points: readonly TimePoint[];
  interval: 'hour' | 'day';
}

/** Newest first, without periods that have no calls. */
export function PointsTable({ points, interval }: PointsTableProps) {
  const rows = points.filter(({ calls }) => calls > 0).reverse();
  return (
    <div class="analytics-points">
      <Table label="Calls over time" columns={columns(interval)} rows={rows} rowKey={({ start }) => start} />
    </div>
  );
}

function columns(interval: 'hour' | 'day'): Column<TimePoint>[] {
  const periodName = (start: string) => {
    const day = start.slice(0, 10);
    return interval === 'day' ? formatRange({ from: day, to: day }) : formatAbsolute(pointTime(start, 'hour'));
  };
  return [
    {
      id: 'start',
      label: interval === 'day' ? 'Day (UTC)' : 'Hour',
      grow: true,
      render: ({ start }) => periodName(start),
    },
    { id: 'calls', label: 'Calls', align: 'end', render: ({ calls }) => formatCount(calls) },
    { id: 'failures', label: 'Failures', align: 'end', render: ({ failures }) => formatCount(failures) },
    { id: 'p50', label: 'p50', align: 'end', render: ({ p50_ms }) => durationOrDash(p50_ms) },
    { id: 'p95', label: 'p95', align: 'end', render: ({ p95_ms }) => durationOrDash(p95_ms) },
    { id: 'p99', label: 'p99', align: 'end', wideOnly: true, render: ({ p99_ms }) => durationOrDash(p99_ms) },
  ];
}
