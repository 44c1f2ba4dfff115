import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatPercent,
  formatRelative,
  parseTime,
  plural,
  utcDay,
  utf8Bytes,
} from './format';

describe('numbers', () => {
  it('counts are grouped, and compact above a million', () => {
    expect(formatCount(0)).toBe('0');
    expect(formatCount(12_345)).toBe('12,345');
    expect(formatCount(1_234_567)).toBe('1.2M');
  });

  it('durations use a readable unit', () => {
    expect([0.84, 5, 43.4, 1000, 1249, 125_000].map(formatDuration)).toEqual([
      '0.8 ms',
      '5 ms',
      '43 ms',
      '1 s',
      '1.2 s',
      '2 min 5 s',
    ]);
  });

  it('sizes use binary units', () => {
    expect([0, 512, 1536, 3 * 1024 * 1024].map(formatBytes)).toEqual(['0 B', '512 B', '1.5 KiB', '3 MiB']);
  });

  it('the size of a text is its length in UTF-8', () => {
    expect(['', 'abc', 'é', '€', '😀'].map(utf8Bytes)).toEqual([0, 3, 2, 3, 4]);
  });

  it('percentages have one decimal at most', () => {
    expect([100, 99.54, 0, 1250].map(formatPercent)).toEqual(['100 %', '99.5 %', '0 %', '1,250 %']);
  });

  it('a count of one takes the singular', () => {
    expect([plural(1, 'tool'), plural(2, 'tool'), plural(2, 'key', 'keys')]).toEqual(['1 tool', '2 tools', '2 keys']);
  });
});

describe('times', () => {
  const now = parseTime('2026-11-15T12:00:00');

  it('times of the API are UTC', () => {
    expect(now.toISOString()).toBe('2026-11-15T12:00:00.000Z');
    expect(parseTime('2026-11-15T12:00:00.123Z').getTime() - now.getTime()).toBe(123);
    expect(utcDay(now)).toBe('2026-11-15');
  });

  it.each([
    ['2026-11-15T11:59:58', 'just now'],
    ['2026-11-15T11:59:30', '30 s ago'],
    ['2026-11-15T11:55:00', '5 min ago'],
    ['2026-11-15T09:00:00', '3 h ago'],
    ['2026-11-14T11:00:00', '1 day ago'],
    ['2026-11-15T12:05:00', 'in 5 min'],
  ])('%s is %s', (time, words) => {
    expect(formatRelative(parseTime(time), now)).toBe(words);
  });
});
