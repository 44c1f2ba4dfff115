/** Ranges of days, as reports take them: UTC, both ends included. */
import { utcDay } from './format';

export const rangePresets = [
  { value: 'today', label: 'Today', days: 1 },
  { value: '7d', label: '7 days', days: 7 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
] as const;

export type RangeName = (typeof rangePresets)[number]['value'] | 'custom';

export interface DayRange {
  name: RangeName;
  from: string;
  to: string;
}

const dayMs = 86_400_000;

/** The range that the address names; the last thirty days where it names none, or a wrong one. */
export function readRange(query: URLSearchParams, now: Date): DayRange {
  const from = query.get('from');
  const to = query.get('to');
  if (from !== null && to !== null && isDay(from) && isDay(to))
    return from <= to ? { name: 'custom', from, to } : { name: 'custom', from: to, to: from };
  const preset = rangePresets.find(({ value }) => value === query.get('range')) ?? rangePresets[2];
  return { name: preset.value, ...lastDays(preset.days, now) };
}

/** Today is one of them. */
export function lastDays(days: number, now: Date): { from: string; to: string } {
  return { from: utcDay(new Date(now.getTime() - (days - 1) * dayMs)), to: utcDay(now) };
}

/** How many days a range has. */
export function daysIn({ from, to }: Pick<DayRange, 'from' | 'to'>): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

/** The range of the same length that ends where this one begins: what to compare with. */
export function rangeBefore(range: Pick<DayRange, 'from' | 'to'>): { from: string; to: string } {
  const end = Date.parse(range.from) - dayMs;
  return { from: utcDay(new Date(end - (daysIn(range) - 1) * dayMs)), to: utcDay(new Date(end)) };
}

/** Hours for a week at most, as the API has it. */
export function intervalOf(range: Pick<DayRange, 'from' | 'to'>): 'hour' | 'day' {
  return daysIn(range) <= 7 ? 'hour' : 'day';
}

/** `Nov 1 – Nov 15, 2026`. */
export function rangeWords({ from, to }: Pick<DayRange, 'from' | 'to'>): string {
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
