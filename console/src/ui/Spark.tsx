/** A small line of how it went. Its label says in words what it shows. */
import './Spark.css';

export interface SparkProps {
  points: readonly number[];
  label: string;
  width?: number | undefined;
  height?: number | undefined;
}

export function Spark({ points, label, width = 96, height = 24 }: SparkProps) {
  const most = Math.max(1, ...points);
  const flat = points.every((point) => point === 0);
  const step = points.length > 1 ? width / (points.length - 1) : 0;
  const line = points
    .map((point, index) => `${(index * step).toFixed(1)},${(height - 2 - (point / most) * (height - 4)).toFixed(1)}`)
    .join(' ');
  return (
    <svg
      class={flat ? 'spark spark-flat' : 'spark'}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <polygon class="spark-area" points={`0,${height} ${line} ${width},${height}`} />
      <polyline class="spark-line" points={line} />
    </svg>
  );
}
