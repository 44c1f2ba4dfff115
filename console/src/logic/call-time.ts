/** The end of a call, to the millisecond: several calls often end within one second. */
import { formatDay, parseTime } from './format';

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const dayOfYear = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' });

export interface CallTime {
  /** Undefined for today. */
  day: string | undefined;
  /** `12:03:04`. */
  clock: string;
  /** `.123`. */
  fraction: string;
}

/** In the user's time zone. */
export function callTime(value: string, now: Date): CallTime {
  const time = parseTime(value);
  return {
    day: sameDay(time, now)
      ? undefined
      : time.getFullYear() === now.getFullYear()
        ? formatDay(time)
        : dayOfYear.format(time),
    clock: clock.format(time),
    fraction: `.${String(time.getMilliseconds()).padStart(3, '0')}`,
  };
}

function sameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
