import { describe, expect, it } from 'vitest';
import { callTime, timeShares } from './call-time';

/** A local time in the format of the API. */
function apiTime(year: number, month: number, day: number, hour: number, minute: number, second: number, ms: number) {
  return new Date(year, month - 1, day, hour, minute, second, ms).toISOString().slice(0, -1);
}

const now = new Date(2026, 10, 15, 18, 0);

it('a call of today has no day', () => {
  expect(callTime(apiTime(2026, 11, 15, 0, 3, 4, 7), now)).toEqual({
    day: undefined,
    clock: '00:03:04',
    fraction: '.007',
  });
});

it('a call of another day has its date, of another year also the year', () => {
  expect(callTime(apiTime(2026, 11, 14, 12, 0, 0, 0), now).day).toBe('Nov 14');
  expect(callTime(apiTime(2025, 11, 15, 12, 0, 0, 0), now).day).toBe('Nov 15, 2025');
});

describe('timeShares', () => {
  it('divides the duration between the upstream and Toolgate', () => {
    expect(timeShares(100, 75)).toEqual({ upstreamPercent: 75, toolgatePercent: 25, toolgateMs: 25 });
  });

  it('an upstream time above the duration is limited to the duration', () => {
    expect(timeShares(10, 12)).toEqual({ upstreamPercent: 100, toolgatePercent: 0, toolgateMs: 0 });
    expect(timeShares(0, 0)).toEqual({ upstreamPercent: 0, toolgatePercent: 0, toolgateMs: 0 });
  });
});
