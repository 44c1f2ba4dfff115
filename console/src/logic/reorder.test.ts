import { expect, it } from 'vitest';
import { dropIndex, move, sortByIds } from './reorder';

it('moves up and down', () => {
  expect(move(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(move(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
  expect(move(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
});

it('a dropped item lands at the indicated position', () => {
  const list = ['a', 'b', 'c', 'd'];
  expect(move(list, 0, dropIndex(0, 2, 'before'))).toEqual(['b', 'a', 'c', 'd']);
  expect(move(list, 0, dropIndex(0, 2, 'after'))).toEqual(['b', 'c', 'a', 'd']);
  expect(move(list, 3, dropIndex(3, 1, 'before'))).toEqual(['a', 'd', 'b', 'c']);
  expect(move(list, 3, dropIndex(3, 1, 'after'))).toEqual(['a', 'b', 'd', 'c']);
});

it('a drop next to itself changes nothing', () => {
  expect(dropIndex(2, 1, 'after')).toBe(2);
  expect(dropIndex(2, 3, 'before')).toBe(2);
  expect(dropIndex(2, 2, 'after')).toBe(2);
});

it('items without an id in the order follow unchanged', () => {
  const items = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }];
  expect(sortByIds(items, [3, 1]).map(({ id }) => id)).toEqual([3, 1, 2, 4]);
});
