/** A small line chart without axes. Its label describes the data. */
import './Sparkline.css';

export interface SparklineProps {
  points: readonly number[];
  label: string;
  /** In pixels, like `height`. */
  width?: number | undefined;
  height?: number | undefined;
}

/** Space above and below the line, in pixels, so that its stroke is not clipped. */
const margin = 2;

export function Sparkline({ points, label, width = 96, height = 24 }: SparklineProps) {
  const max = Math.max(1, ...points);
  const isAllZero = points.every((point) => point === 0);
  const step = points.length > 1 ? width / (points.length - 1) : 0;
  const line = points
    .map(
      (point, index) =>
        `${(index * step).toFixed(1)},${(height - margin - (point / max) * (height - 2 * margin)).toFixed(1)}`,
    )
    .join(' ');
  return (
    <svg
      class={isAllZero ? 'sparkline sparkline-empty' : 'sparkline'}
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
