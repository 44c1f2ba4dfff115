import { describe, expect, it } from 'vitest';
import { appendOlder, mergeNewest } from './call-log';

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

  it('a page without calls only moves the cursor', () => {
    expect(appendOlder({ rows: rows(9), nextBefore: 9 }, { rows: [], nextBefore: 4 })).toEqual({
      rows: rows(9),
      nextBefore: 4,
    });
  });
});

describe('mergeNewest', () => {
  it('prepends new calls to the loaded ones', () => {
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

  it('a newest page that does not overlap replaces the loaded rows', () => {
    const log = { rows: rows(9, 8), nextBefore: 8 };
    const newest = { rows: rows(30, 29, 28), nextBefore: 28 };
    expect(mergeNewest(log, newest)).toEqual(newest);
  });

  it('a newest page that is the whole log replaces the loaded rows', () => {
    const newest = { rows: rows(3, 2, 1), nextBefore: undefined };
    expect(mergeNewest({ rows: rows(2, 1), nextBefore: undefined }, newest)).toEqual(newest);
  });
});
