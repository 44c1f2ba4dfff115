/** Table cells of the reports. */
import { formatCount, formatDuration, formatPercent } from '../../logic/format';
import { percentOf } from '../../logic/usage';

/** A duration, or a dash without calls. */
export function durationOrDash(ms: number | null) {
  if (ms !== null) return formatDuration(ms);
  return (
    <span class="muted" role="img" aria-label="none">
      –
    </span>
  );
}

/** A number with a bar relative to the largest one. */
export function CountBar({ value, max }: { value: number; max: number }) {
  return (
    <span class="analytics-count">
      <span class="analytics-bar" aria-hidden="true">
        <span class="analytics-bar-fill" style={{ width: `${percentOf(value, max)}%` }} />
      </span>
      <span class="number">{formatCount(value)}</span>
    </span>
  );
}

/** The share of calls that failed; red from 5 %. */
export function FailureRate({ calls, percent }: { calls: number; percent: number }) {
  if (calls === 0) return durationOrDash(null);
  return <span class={percent >= 5 ? 'analytics-bad' : undefined}>{formatPercent(percent)}</span>;
}
