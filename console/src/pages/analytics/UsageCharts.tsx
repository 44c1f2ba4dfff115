/** Charts of calls, failures and response times, and the same data as a table. */
import { useMemo } from 'preact/hooks';
import type { TimePoint } from '../../api/types';
import { formatCount, formatDuration } from '../../logic/format';
import { pointTime } from '../../logic/usage';
import { Card } from '../../ui/Card';
import { Chart } from '../../ui/Chart';
import { Disclosure } from '../../ui/Disclosure';
import { PointsTable } from './PointsTable';

export interface UsageChartsProps {
  points: readonly TimePoint[];
  interval: 'hour' | 'day';
}

export function UsageCharts({ points, interval }: UsageChartsProps) {
  const unit = interval === 'hour' ? 'hour' : 'day (UTC)';
  const times = useMemo(() => points.map(({ start }) => pointTime(start, interval)), [points]);
  const calls = useMemo(
    () => [
      { label: 'Calls', values: points.map((point) => point.calls), tone: 'accent' as const, area: true },
      { label: 'Failures', values: points.map((point) => point.failures), tone: 'bad' as const, area: true },
    ],
    [points],
  );
  const durations = useMemo(
    () => [
      { label: 'p50', values: points.map((point) => point.p50_ms), tone: 'good' as const },
      { label: 'p95', values: points.map((point) => point.p95_ms), tone: 'warn' as const },
      { label: 'p99', values: points.map((point) => point.p99_ms), tone: 'bad' as const },
    ],
    [points],
  );
  return (
    <>
      <div class="analytics-charts">
        <Card title="Calls and failures" description={`Per ${unit}`}>
          <Chart label="Calls and failures" times={times} series={calls} format={formatCount} />
        </Card>
        <Card title="Response time" description="50th, 95th and 99th percentile">
          <Chart label="Response time" times={times} series={durations} format={formatDuration} />
        </Card>
      </div>
      <Disclosure summary="Show as table">
        <PointsTable points={points} interval={interval} />
      </Disclosure>
    </>
  );
}
