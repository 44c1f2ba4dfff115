import { expect, it } from 'vitest';
import { daysIn, formatRange, intervalOf, rangeBefore, readRange } from './range';

const now = new Date('2026-03-01T00:30:00Z');
const read = (query: string) => readRange(new URLSearchParams(query), now);

it('the default is the last 30 days including today', () => {
  expect(read('')).toEqual({ name: '30d', from: '2026-01-31', to: '2026-03-01' });
  expect(daysIn(read(''))).toBe(30);
});

it('presets count back from today', () => {
  expect(read('range=today')).toEqual({ name: 'today', from: '2026-03-01', to: '2026-03-01' });
  expect(read('range=7d')).toMatchObject({ from: '2026-02-23', to: '2026-03-01' });
});

it('custom days override a preset and may be in either order', () => {
  expect(read('range=7d&from=2026-02-02&to=2026-02-01')).toEqual({
    name: 'custom',
    from: '2026-02-01',
    to: '2026-02-02',
  });
});

it('invalid days and unknown presets give the default', () => {
  expect(read('from=2026-02-30&to=2026-03-01').name).toBe('30d');
  expect(read('from=x&to=2026-03-01').name).toBe('30d');
  expect(read('range=constructor').name).toBe('30d');
});

it('the previous range has the same length and ends the day before', () => {
  expect(rangeBefore({ from: '2026-03-01', to: '2026-03-01' })).toEqual({ from: '2026-02-28', to: '2026-02-28' });
  expect(rangeBefore({ from: '2026-02-23', to: '2026-03-01' })).toEqual({ from: '2026-02-16', to: '2026-02-22' });
});

it('a week uses hours, longer ranges use days', () => {
  expect(intervalOf({ from: '2026-02-01', to: '2026-02-07' })).toBe('hour');
  expect(intervalOf({ from: '2026-02-01', to: '2026-02-08' })).toBe('day');
});

it('the first day has a year only if it differs from that of the last day', () => {
  expect(formatRange({ from: '2026-02-01', to: '2026-03-01' })).toBe('Feb 1 – Mar 1, 2026');
  expect(formatRange({ from: '2025-12-31', to: '2026-01-01' })).toBe('Dec 31, 2025 – Jan 1, 2026');
  expect(formatRange({ from: '2026-02-01', to: '2026-02-01' })).toBe('Feb 1, 2026');
});
