/** A time of the API: relative, with the full time as tooltip. */
import { signal } from '@preact/signals';
import { formatAbsolute, formatRelative, parseTime } from '../logic/format';

/** One clock shared by all instances, updated every 10 seconds. */
const now = signal(new Date());
setInterval(() => {
  now.value = new Date();
}, 10_000);

export interface TimeProps {
  value: string;
  /** Shows the full time. */
  absolute?: boolean | undefined;
}

export function Time({ value, absolute = false }: TimeProps) {
  const time = parseTime(value);
  return (
    <time class="number" dateTime={time.toISOString()} title={formatAbsolute(time)}>
      {absolute ? formatAbsolute(time) : formatRelative(time, now.value)}
    </time>
  );
}
