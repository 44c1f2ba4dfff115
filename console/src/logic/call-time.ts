/** The time and the duration of a call, for display. */
import { formatDay, parseTime } from './format';

const clockFormat = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const dayWithYearFormat = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' });

export interface CallTime {
  /** Undefined for today. */
  day: string | undefined;
  /** `12:03:04`. */
  clock: string;
  /** `.123`. */
  fraction: string;
}

/** When a call ended, in the user's time zone. With milliseconds, because several calls often end within a second. */
export function callTime(value: string, now: Date): CallTime {
  const time = parseTime(value);
  return {
    day: isSameDay(time, now)
      ? undefined
      : time.getFullYear() === now.getFullYear()
        ? formatDay(time)
        : dayWithYearFormat.format(time),
    clock: clockFormat.format(time),
    fraction: `.${String(time.getMilliseconds()).padStart(3, '0')}`,
  };
}

/**
 * How a call's duration divides between the upstream and Toolgate; shares in percent. An upstream time above the
 * duration is limited to it.
 */
export function timeShares(
  durationMs: number,
  upstreamMs: number,
): { upstreamPercent: number; toolgatePercent: number; toolgateMs: number } {
  const boundedUpstreamMs = Math.min(Math.max(upstreamMs, 0), Math.max(durationMs, 0));
  const upstreamPercent = durationMs > 0 ? (boundedUpstreamMs / durationMs) * 100 : 0;
  return {
    upstreamPercent,
    toolgatePercent: durationMs > 0 ? 100 - upstreamPercent : 0,
    toolgateMs: Math.max(0, durationMs - boundedUpstreamMs),
  };
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
