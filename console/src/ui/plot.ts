/** uPlot setup. Loaded on demand: only Chart.tsx may import this file. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisLabel } from '../logic/chart-axis';
import { formatAbsolute } from '../logic/format';
import type { ChartSeries, ChartTone } from './Chart';

export interface ChartData {
  times: readonly Date[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
}

export interface ChartHandle {
  setData: (data: ChartData) => void;
  destroy: () => void;
}

const colourVariables: Record<ChartTone, string> = {
  accent: '--accent-text',
  good: '--good',
  warn: '--warn',
  bad: '--bad',
  muted: '--faint',
};

export function createChart(container: HTMLElement, height: number, initialData: ChartData): ChartHandle {
  let data = initialData;
  let plot = draw();
  const resizeObserver = new ResizeObserver(() => plot.setSize({ width: container.clientWidth, height }));
  resizeObserver.observe(container);
  // The canvas does not follow CSS variables: redraw when the theme changes.
  const theme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => {
    plot.destroy();
    plot = draw();
  };
  theme.addEventListener('change', redraw);

  function draw(): uPlot {
    return new uPlot(
      options(container, height, () => data),
      columns(data),
      container,
    );
  }

  return {
    setData(next) {
      data = next;
      plot.setData(columns(next));
    },
    destroy() {
      theme.removeEventListener('change', redraw);
      resizeObserver.disconnect();
      plot.destroy();
    },
  };
}

function columns({ times, series }: ChartData): uPlot.AlignedData {
  return [times.map((time) => time.getTime() / 1000), ...series.map((line) => [...line.values])];
}

function options(container: HTMLElement, height: number, current: () => ChartData): uPlot.Options {
  const colour = (name: string) => getComputedStyle(container).getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--faint'),
    grid: { stroke: colour('--border'), width: 1 },
    ticks: { show: false },
    font: `11px ${colour('--font')}`,
  };
  return {
    width: container.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    // 10 % of free space above the largest value.
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        space: 72,
        grid: { show: false },
        values: (_, splits, __, ___, step) => splits.map((split) => axisLabel(new Date(split * 1000), step)),
      },
      { ...axis, size: 64, space: 36, values: (_, splits) => splits.map((split) => current().format(split)) },
    ],
    series: [
      {},
      ...current().series.map(({ label, tone = 'accent', area = false }) => ({
        label,
        stroke: colour(colourVariables[tone]),
        width: 1.5,
        points: { show: true, size: 5, filter: isolatedPoints },
        // `22` is the alpha channel of the colour, about 13 %.
        ...(area ? { fill: `${colour(colourVariables[tone])}22` } : {}),
      })),
    ],
    plugins: [tooltip(current)],
  };
}

/** Points without neighbours, which a line alone would not show. */
function isolatedPoints(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const isMissing = (index: number) => values[index] === null || values[index] === undefined;
  return [...values.keys()].filter((index) => !isMissing(index) && isMissing(index - 1) && isMissing(index + 1));
}

/** Tooltip with the values at the cursor. Set as a text node, because labels may be untrusted. */
function tooltip(current: () => ChartData): uPlot.Plugin {
  const box = document.createElement('div');
  box.className = 'chart-tooltip';
  box.hidden = true;
  /** Distance from the cursor, in pixels. */
  const gap = 12;
  return {
    hooks: {
      init: (plot) => void plot.over.append(box),
      setCursor: (plot) => {
        const { idx, left = 0 } = plot.cursor;
        const { times, series, format } = current();
        const time = idx === null || idx === undefined ? undefined : times[idx];
        box.hidden = time === undefined || left < 0;
        if (time === undefined || idx === null || idx === undefined) return;
        const lines = series.map(({ label, values }) => `${label}  ${formatValue(values[idx], format)}`);
        box.textContent = [formatAbsolute(time), ...lines].join('\n');
        const maxLeft = plot.over.clientWidth - box.offsetWidth;
        box.style.left = `${left + gap <= maxLeft ? left + gap : Math.max(0, left - box.offsetWidth - gap)}px`;
        box.style.top = '8px';
      },
    },
  };
}

function formatValue(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? 'none' : format(value);
}
