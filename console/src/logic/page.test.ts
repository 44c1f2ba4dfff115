import { expect, it } from 'vitest';
import { readPage } from './page';

it('a missing or invalid page number is read as 1', () => {
  expect(readPage(new URLSearchParams('page=3'))).toBe(3);
  expect(['', 'page=', 'page=0', 'page=-2', 'page=x'].map((query) => readPage(new URLSearchParams(query)))).toEqual([
    1, 1, 1, 1, 1,
  ]);
});
