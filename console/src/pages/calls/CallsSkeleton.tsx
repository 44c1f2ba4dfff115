import { Skeleton } from '../../ui/Skeleton';
import { CallHead } from './CallRow';

const rows = Array.from({ length: 12 }, (_, row) => row);

export function CallsSkeleton() {
  return (
    <div class="calls-frame" aria-busy="true">
      <CallHead />
      {rows.map((row) => (
        <div key={row} class="calls-loading">
          <Skeleton width={`${40 + ((row * 17) % 45)}%`} />
        </div>
      ))}
    </div>
  );
}
