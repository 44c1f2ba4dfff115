import { describe, expect, it } from 'vitest';
import { appendOlder, mergeNewest, timeShares } from './call-log';

const rows = (...ids: number[]) => ids.map((id) => ({ id }));

describe('appendOlder', () => {
  it('appends an older page and takes over its cursor', () => {
    const log = appendOlder({ rows: rows(9, 8), nextBefore: 8 }, { rows: rows(7, 6), nextBefore: undefined });
    expect(log).toEqual({ rows: rows(9, 8, 7, 6), nextBefore: undefined });
  });

  it('does not duplicate calls', () => {
    expect(appendOlder({ rows: rows(9, 8), nextBefore: 8 }, { rows: rows(8, 7), nextBefore: 7 }).rows).toEqual(
      rows(9, 8, 7),
    );
  });

  it('continues after a page without calls', () => {
    expect(appendOlder({ rows: rows(9), nextBefore: 9 }, { rows: [], nextBefore: 4 })).toEqual({
      rows: rows(9),
      nextBefore: 4,
    });
  });
});

describe('mergeNewest', () => {
  it('prepends new calls and keeps the loaded ones', () => {
    const log = { rows: rows(9, 8, 7, 6, 5), nextBefore: 5 };
    expect(mergeNewest(log, { rows: rows(11, 10, 9, 8), nextBefore: 8 })).toEqual({
      rows: rows(11, 10, 9, 8, 7, 6, 5),
      nextBefore: 5,
    });
  });

  it('inserts a late call at its position', () => {
    const log = { rows: rows(9, 7, 6), nextBefore: 6 };
    expect(mergeNewest(log, { rows: rows(10, 9, 8, 7), nextBefore: 7 }).rows).toEqual(rows(10, 9, 8, 7, 6));
  });

  it('replaces the log instead of hiding a gap', () => {
    const log = { rows: rows(9, 8), nextBefore: 8 };
    const newest = { rows: rows(30, 29, 28), nextBefore: 28 };
    expect(mergeNewest(log, newest)).toEqual(newest);
  });

  it('accepts a page that is the whole log', () => {
    const newest = { rows: rows(3, 2, 1), nextBefore: undefined };
    expect(mergeNewest({ rows: rows(2, 1), nextBefore: undefined }, newest)).toEqual(newest);
  });
});

describe('timeShares', () => {
  it('separates upstream time from own time', () => {
    expect(timeShares(100, 75)).toEqual({ upstream: 75, own: 25, ownMs: 25 });
  });

  it('stays within the total for inconsistent times', () => {
    expect(timeShares(10, 12)).toEqual({ upstream: 100, own: 0, ownMs: 0 });
    expect(timeShares(0, 0)).toEqual({ upstream: 0, own: 0, ownMs: 0 });
  });
});
