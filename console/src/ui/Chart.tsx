/** Line chart over time. uPlot is loaded with the first chart; a hidden table has the same data for screen readers. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatAbsolute } from '../logic/format';
import type { ChartHandle } from './plot';
import { Skeleton } from './Skeleton';
import './Chart.css';

export interface ChartSeries {
  label: string;
  /** One value per time; null if there is no data. */
  values: readonly (number | null)[];
  tone?: ChartTone | undefined;
  /** Fills the area below the line. */
  area?: boolean | undefined;
}

export type ChartTone = 'accent' | 'good' | 'warn' | 'bad' | 'muted';

export interface ChartProps {
  label: string;
  times: readonly Date[];
  series: readonly ChartSeries[];
  /** In pixels. */
  height?: number | undefined;
  /** Formats a value: `43 ms`. */
  format?: ((value: number) => string) | undefined;
}

const formatNumber = (value: number) => value.toLocaleString('en');

export function Chart({ label, times, series, height = 220, format = formatNumber }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const chart = useRef<ChartHandle>();
  const latest = useRef({ times, series, format });
  latest.current = { times, series, format };
  const [ready, setReady] = useState(false);
  /** The chart is created again when this changes; new values alone only update it. */
  const seriesKey = series.map((line) => `${line.label}/${line.tone}/${line.area}`).join();

  useEffect(() => {
    let mounted = true;
    void import('./plot').then(({ createChart }) => {
      if (!mounted || !container.current) return;
      chart.current = createChart(container.current, height, latest.current);
      setReady(true);
    });
    return () => {
      mounted = false;
      chart.current?.destroy();
    };
  }, [seriesKey, height]);

  useEffect(() => chart.current?.setData(latest.current), [times, series, ready]);

  return (
    <figure class="chart" aria-label={label}>
      <div ref={container} class="chart-container" style={{ height: `${height}px` }} aria-hidden="true">
        {!ready && <Skeleton height={`${height}px`} />}
      </div>
      <Legend series={series} />
      <ChartTable label={label} times={times} series={series} format={format} />
    </figure>
  );
}

function Legend({ series }: { series: readonly ChartSeries[] }) {
  if (series.length < 2) return null;
  return (
    <ul class="chart-legend" aria-hidden="true">
      {series.map(({ label, tone = 'accent' }) => (
        <li key={label} class={`chart-key chart-key-${tone}`}>
          {label}
        </li>
      ))}
    </ul>
  );
}

/** Maximum number of rows in the table for screen readers. */
const tableRowsMax = 60;

/** The wrapper is hidden, not the table, because CSS cannot shrink a table. */
function ChartTable({
  label,
  times,
  series,
  format,
}: Required<Pick<ChartProps, 'label' | 'times' | 'series'>> & { format: (value: number) => string }) {
  return (
    <div class="visually-hidden">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map((line) => (
              <th key={line.label} scope="col">
                {line.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.slice(-tableRowsMax).map((time, row) => {
            const index = Math.max(0, times.length - tableRowsMax) + row;
            return (
              <tr key={time.getTime()}>
                <th scope="row">{formatAbsolute(time)}</th>
                {series.map((line) => {
                  const value = line.values[index];
                  return <td key={line.label}>{value === null || value === undefined ? 'none' : format(value)}</td>;
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
