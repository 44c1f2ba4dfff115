import { expect, it } from 'vitest';
import { readPage } from './page';

it('pages count from 1', () => {
  expect(readPage(new URLSearchParams('page=3'))).toBe(3);
  expect(['', 'page=', 'page=0', 'page=-2', 'page=x'].map((query) => readPage(new URLSearchParams(query)))).toEqual([
    1, 1, 1, 1, 1,
  ]);
});
