/** A time of the API: how long ago, and in full on hover. */
import { signal } from '@preact/signals';
import { formatAbsolute, formatRelative, parseTime } from '../logic/format';

/** One clock for all of them. */
const now = signal(new Date());
setInterval(() => {
  now.value = new Date();
}, 10_000);

export interface TimeProps {
  value: string;
  /** In full rather than relative. */
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
