import { expect, it } from 'vitest';
import { readId } from './id';

it.each([
  ['1', 1],
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', undefined],
  ['9999999999999999', undefined],
  ['1'.repeat(400), undefined],
  ['0', undefined],
  ['01', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['', undefined],
  [null, undefined],
])('the id in %j is %j', (text, id) => {
  expect(readId(text)).toBe(id);
});
