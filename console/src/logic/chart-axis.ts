/** Labels of a chart's time axis. */
import { formatDay } from './format';

const daySeconds = 86_400;
const shortestMonthSeconds = 28 * daySeconds;

const monthFormat = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short' });
const clockFormat = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** `Oct 2026`, `Oct 18` or `14:00`, depending on the seconds between two ticks; midnight shows the day. */
export function axisLabel(time: Date, stepSeconds: number): string {
  if (stepSeconds >= shortestMonthSeconds) return monthFormat.format(time);
  const isMidnight = time.getHours() === 0 && time.getMinutes() === 0;
  return stepSeconds >= daySeconds || isMidnight ? formatDay(time) : clockFormat.format(time);
}
