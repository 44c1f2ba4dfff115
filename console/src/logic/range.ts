/** Date ranges of reports: UTC days, both ends included. */
import { utcDay } from './format';

export const rangePresets = [
  { value: 'today', label: 'Today', days: 1 },
  { value: '7d', label: '7 days', days: 7 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
] as const;

const defaultPreset = rangePresets[2];

export type RangeName = (typeof rangePresets)[number]['value'] | 'custom';

export interface DayRange {
  name: RangeName;
  from: string;
  to: string;
}

const dayMs = 86_400_000;

/** Reads the range from the query string; the last 30 days if it is missing or invalid. */
export function readRange(query: URLSearchParams, now: Date): DayRange {
  const from = query.get('from');
  const to = query.get('to');
  if (from !== null && to !== null && isDay(from) && isDay(to))
    return from <= to ? { name: 'custom', from, to } : { name: 'custom', from: to, to: from };
  const preset = rangePresets.find(({ value }) => value === query.get('range')) ?? defaultPreset;
  return { name: preset.value, ...lastDays(preset.days, now) };
}

/** The last `days` days, including today. */
export function lastDays(days: number, now: Date): { from: string; to: string } {
  return { from: utcDay(new Date(now.getTime() - (days - 1) * dayMs)), to: utcDay(now) };
}

/** Number of days in a range. */
export function daysIn({ from, to }: Pick<DayRange, 'from' | 'to'>): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

/** The preceding range of the same length, for comparison. */
export function rangeBefore(range: Pick<DayRange, 'from' | 'to'>): { from: string; to: string } {
  const end = Date.parse(range.from) - dayMs;
  return { from: utcDay(new Date(end - (daysIn(range) - 1) * dayMs)), to: utcDay(new Date(end)) };
}

/** The API returns hourly points for at most a week. */
export function intervalOf(range: Pick<DayRange, 'from' | 'to'>): 'hour' | 'day' {
  return daysIn(range) <= 7 ? 'hour' : 'day';
}

/** `Nov 1 – Nov 15, 2026`. */
export function formatRange({ from, to }: Pick<DayRange, 'from' | 'to'>): string {
  const format = (day: string, year: boolean) =>
    new Date(day).toLocaleDateString('en', {
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
      ...(year ? { year: 'numeric' } : {}),
    });
  if (from === to) return format(to, true);
  return `${format(from, from.slice(0, 4) !== to.slice(0, 4))} – ${format(to, true)}`;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && utcDay(new Date(text)) === text;
}
