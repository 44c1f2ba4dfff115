/** A small line chart without axes. Its label describes the data. */
import './Sparkline.css';

export interface SparklineProps {
  points: readonly number[];
  label: string;
  width?: number | undefined;
  height?: number | undefined;
}

export function Sparkline({ points, label, width = 96, height = 24 }: SparklineProps) {
  const max = Math.max(1, ...points);
  const flat = points.every((point) => point === 0);
  const step = points.length > 1 ? width / (points.length - 1) : 0;
  const line = points
    .map((point, index) => `${(index * step).toFixed(1)},${(height - 2 - (point / max) * (height - 4)).toFixed(1)}`)
    .join(' ');
  return (
    <svg
      class={flat ? 'sparkline sparkline-flat' : 'sparkline'}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <polygon class="sparkline-area" points={`0,${height} ${line} ${width},${height}`} />
      <polyline class="sparkline-line" points={line} />
    </svg>
  );
}
