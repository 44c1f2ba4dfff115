import { describe, expect, it } from 'vitest';
import { appendOlder, mergeNewest, timeShares } from './call-log';

const rows = (...ids: number[]) => ids.map((id) => ({ id }));

describe('appendOlder', () => {
  it('puts an older page behind, and takes its end over', () => {
    const log = appendOlder({ rows: rows(9, 8), nextBefore: 8 }, { rows: rows(7, 6), nextBefore: undefined });
    expect(log).toEqual({ rows: rows(9, 8, 7, 6), nextBefore: undefined });
  });

  it('shows no call twice', () => {
    expect(appendOlder({ rows: rows(9, 8), nextBefore: 8 }, { rows: rows(8, 7), nextBefore: 7 }).rows).toEqual(
      rows(9, 8, 7),
    );
  });

  it('goes on behind a page without calls', () => {
    expect(appendOlder({ rows: rows(9), nextBefore: 9 }, { rows: [], nextBefore: 4 })).toEqual({
      rows: rows(9),
      nextBefore: 4,
    });
  });
});

describe('mergeNewest', () => {
  it('puts new calls on top and keeps what was loaded below', () => {
    const log = { rows: rows(9, 8, 7, 6, 5), nextBefore: 5 };
    expect(mergeNewest(log, { rows: rows(11, 10, 9, 8), nextBefore: 8 })).toEqual({
      rows: rows(11, 10, 9, 8, 7, 6, 5),
      nextBefore: 5,
    });
  });

  it('has a call that came late in its place', () => {
    const log = { rows: rows(9, 7, 6), nextBefore: 6 };
    expect(mergeNewest(log, { rows: rows(10, 9, 8, 7), nextBefore: 7 }).rows).toEqual(rows(10, 9, 8, 7, 6));
  });

  it('starts anew rather than hide a gap', () => {
    const log = { rows: rows(9, 8), nextBefore: 8 };
    const newest = { rows: rows(30, 29, 28), nextBefore: 28 };
    expect(mergeNewest(log, newest)).toEqual(newest);
  });

  it('takes a page that is the whole log', () => {
    const newest = { rows: rows(3, 2, 1), nextBefore: undefined };
    expect(mergeNewest({ rows: rows(2, 1), nextBefore: undefined }, newest)).toEqual(newest);
  });
});

describe('timeShares', () => {
  it('tells waiting for the API from our own time', () => {
    expect(timeShares(100, 75)).toEqual({ upstream: 75, own: 25, ownMs: 25 });
  });

  it('stays within the whole, whatever clocks say', () => {
    expect(timeShares(10, 12)).toEqual({ upstream: 100, own: 0, ownMs: 0 });
    expect(timeShares(0, 0)).toEqual({ upstream: 0, own: 0, ownMs: 0 });
  });
});
