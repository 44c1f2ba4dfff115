/** Formats numbers, durations and times for display. */

const countFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const dateTimeFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
const monthDayFormat = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const oneDecimalFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const compactFormat = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `1,234`; above a million `1.2M`. */
export function formatCount(count: number): string {
  return count < 1_000_000 ? countFormat.format(count) : compactFormat.format(count);
}

/** `0.8 ms`, `43 ms`, `1.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${trimZeros(ms.toFixed(1))} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trimZeros((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `512 B`, `1.5 KiB`, `3 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${trimZeros(value.toFixed(unit === 0 ? 0 : 1))} ${units[unit]}`;
}

/** Number of bytes of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** `99.5 %`, `1,250 %`, from a percentage (0 to 100). */
export function formatPercent(percent: number): string {
  return `${oneDecimalFormat.format(percent)} %`;
}

/** `1 tool`, `3 tools`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Parses a time of the API (UTC without a zone). */
export function parseTime(time: string): Date {
  return new Date(/(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`);
}

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`, then the date; for the future `in 5 min`. */
export function formatRelative(time: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - time.getTime()) / 1000);
  const distanceSeconds = Math.abs(seconds);
  if (distanceSeconds < 10) return 'just now';
  const words = distanceWords(distanceSeconds);
  if (words === undefined) return time.toLocaleDateString('en', { year: 'numeric', month: 'short', day: 'numeric' });
  return seconds > 0 ? `${words} ago` : `in ${words}`;
}

/** `Oct 18`, in the user's time zone. */
export function formatDay(time: Date): string {
  return monthDayFormat.format(time);
}

/** Date and time in the user's time zone: `Nov 16, 2026, 00:50:57`. */
export function formatAbsolute(time: Date): string {
  return dateTimeFormat.format(time);
}

/** The UTC day, `2026-11-15`, as the reports expect it. */
export function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function distanceWords(seconds: number): string | undefined {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  const days = Math.floor(seconds / 86_400);
  if (days < 30) return days === 1 ? '1 day' : `${days} days`;
  return undefined;
}

function trimZeros(text: string): string {
  return text.replace(/\.0+$/, '');
}
