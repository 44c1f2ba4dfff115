/** Lines over time. uPlot is loaded when the first chart is shown; a table beside it tells the same to those who cannot see it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatAbsolute } from '../logic/format';
import type { ChartHandle } from './plot';
import { Skeleton } from './Skeleton';
import './Chart.css';

export interface ChartSeries {
  label: string;
  /** One for each time; null where there is nothing. */
  values: readonly (number | null)[];
  tone?: ChartTone | undefined;
  /** Filled down to the axis. */
  area?: boolean | undefined;
}

export type ChartTone = 'accent' | 'good' | 'warn' | 'bad' | 'muted';

export interface ChartProps {
  label: string;
  times: readonly Date[];
  series: readonly ChartSeries[];
  height?: number | undefined;
  /** A value as it is read: `43 ms`. */
  format?: ((value: number) => string) | undefined;
}

const asNumber = (value: number) => value.toLocaleString('en');

export function Chart({ label, times, series, height = 220, format = asNumber }: ChartProps) {
  const home = useRef<HTMLDivElement>(null);
  const chart = useRef<ChartHandle>();
  const latest = useRef({ times, series, format });
  latest.current = { times, series, format };
  const [ready, setReady] = useState(false);
  const shape = series.map((line) => `${line.label}/${line.tone}/${line.area}`).join();

  useEffect(() => {
    let wanted = true;
    void import('./plot').then(({ createChart }) => {
      if (!wanted || !home.current) return;
      chart.current = createChart(home.current, height, latest.current);
      setReady(true);
    });
    return () => {
      wanted = false;
      chart.current?.destroy();
    };
  }, [shape, height]);

  useEffect(() => chart.current?.setData(latest.current), [times, series, ready]);

  return (
    <figure class="chart" aria-label={label}>
      <div ref={home} class="chart-home" style={{ height: `${height}px` }} aria-hidden="true">
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

/** More rows than anybody listens to are left out. Wrapped, because a table does not let itself be made small. */
const tableRows = 60;

function ChartTable({
  label,
  times,
  series,
  format,
}: Required<Pick<ChartProps, 'label' | 'times' | 'series'>> & { format: (value: number) => string }) {
  return (
    <div class="unseen">
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
          {times.slice(-tableRows).map((time, row) => {
            const index = Math.max(0, times.length - tableRows) + row;
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
