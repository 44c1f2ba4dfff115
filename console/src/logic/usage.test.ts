import { expect, it } from 'vitest';
import { formatChange, percentOf, pointTime, usageNotes, usageTotals } from './usage';

const point = (calls: number, failures: number, avg_ms: number) => ({
  start: '2026-11-15T00:00:00',
  calls,
  failures,
  avg_ms,
  p50_ms: null,
  p95_ms: null,
  p99_ms: null,
});

it('the average is weighted by calls', () => {
  expect(usageTotals([point(1, 1, 100), point(3, 0, 20), point(0, 0, 0)])).toEqual({
    calls: 4,
    failures: 1,
    successRate: 75,
    averageMs: 40,
  });
});

it('without calls there is no success rate and no average', () => {
  expect(usageTotals([point(0, 0, 0)])).toMatchObject({ calls: 0, successRate: undefined, averageMs: undefined });
});

it('a day has the same date in every time zone', () => {
  const day = pointTime('2026-11-15T00:00:00', 'day');
  expect([day.getFullYear(), day.getMonth(), day.getDate(), day.getHours()]).toEqual([2026, 10, 15, 0]);
  expect(pointTime('2026-11-15T07:00:00', 'hour').toISOString()).toBe('2026-11-15T07:00:00.000Z');
});

it('changes are in percent of the previous value', () => {
  expect(formatChange(112, 100)).toBe('+12 %');
  expect(formatChange(97.5, 100)).toBe('−2.5 %');
  expect(formatChange(100.01, 100)).toBe('no change');
  expect(formatChange(5, 0)).toBeUndefined();
});

it('the notes compare the totals with those of the previous range', () => {
  const totals = usageTotals([point(112, 0, 50)]);
  expect(usageNotes(totals, usageTotals([point(100, 1, 50)]), 'the previous day')).toEqual({
    calls: '+12 % vs. the previous day',
    failures: '−100 % vs. the previous day',
    successRate: '99 % in the previous day',
    averageMs: 'no change vs. the previous day',
  });
  const none = 'none in the previous day';
  expect(usageNotes(totals, usageTotals([]), 'the previous day')).toEqual({
    calls: none,
    failures: none,
    successRate: ' ',
    averageMs: none,
  });
});

it('in a range without calls, the average of the previous range is stated without a comparison', () => {
  const notes = usageNotes(usageTotals([]), usageTotals([point(2, 0, 40)]), 'the previous day');
  expect(notes.averageMs).toBe('40 ms in the previous day');
});

it('the notes claim nothing about a previous range that is not loaded', () => {
  const totals = usageTotals([point(1, 0, 1)]);
  expect(new Set(Object.values(usageNotes(totals, 'loading', 'the previous day')))).toEqual(new Set([' ']));
  const failed = new Set(Object.values(usageNotes(totals, 'failed', 'the previous day')));
  expect(failed).toEqual(new Set(['could not load the previous day']));
});

it('the length of a bar is relative to the longest', () => {
  expect(percentOf(5, 20)).toBe(25);
  expect(percentOf(0, 0)).toBe(0);
});
