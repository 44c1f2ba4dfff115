/** Placeholder for loading content, to avoid layout shift. */
import './Skeleton.css';

export interface SkeletonProps {
  width?: string | undefined;
  height?: string | undefined;
  /** Number of text lines. */
  lines?: number | undefined;
}

export function Skeleton({ width = '100%', height = '12px', lines = 1 }: SkeletonProps) {
  return (
    <span class="skeleton-lines" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="skeleton" style={{ width: lines > 1 && line === lines - 1 ? '60%' : width, height }} />
      ))}
    </span>
  );
}
