/** The time and the duration of a call, for display. */
import { formatDay, parseTime } from './format';

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const dayWithYear = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' });

export interface CallTime {
  /** Undefined for today. */
  day: string | undefined;
  /** `12:03:04`. */
  clock: string;
  /** `.123`. */
  fraction: string;
}

/** When a call ended, in the user's time zone. To the millisecond, because several calls often end within one second. */
export function callTime(value: string, now: Date): CallTime {
  const time = parseTime(value);
  return {
    day: sameDay(time, now)
      ? undefined
      : time.getFullYear() === now.getFullYear()
        ? formatDay(time)
        : dayWithYear.format(time),
    clock: clock.format(time),
    fraction: `.${String(time.getMilliseconds()).padStart(3, '0')}`,
  };
}

/** How a call's duration divides between the upstream and Toolgate; shares in percent. */
export function timeShares(
  durationMs: number,
  upstreamMs: number,
): { upstream: number; toolgate: number; toolgateMs: number } {
  const waited = Math.min(Math.max(upstreamMs, 0), Math.max(durationMs, 0));
  const upstream = durationMs > 0 ? (waited / durationMs) * 100 : 0;
  return { upstream, toolgate: durationMs > 0 ? 100 - upstream : 0, toolgateMs: Math.max(0, durationMs - waited) };
}

function sameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
