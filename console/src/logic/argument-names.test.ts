import { expect, it } from 'vitest';
import { nameToText, suggestName, uniqueName } from './argument-names';

it.each([
  ['42', 'users', 'user_id'],
  ['42', 'categories', 'category_id'],
  ['7', 'address', 'address_id'],
  ['42', undefined, 'id'],
  ['0f8fad5b-d9cb-469f-a165-70867728950e', 'orders', 'order_id'],
  ['X-Trace', undefined, 'x_trace'],
  ['perPage', undefined, 'per_page'],
  ['2fa', undefined, '_2fa'],
  ['שלום', undefined, 'value'],
])('the suggested name of %s after %s is %s', (text, previousSegment, name) =>
  expect(suggestName(text, previousSegment)).toBe(name),
);

it('adds a number to a name that is taken', () => {
  expect(uniqueName('a', new Set(['b']))).toBe('a');
  expect(uniqueName('a', new Set(['a', 'a_2']))).toBe('a_3');
});

it('underscores in a name become spaces in its text', () => {
  expect(nameToText('user_id')).toBe('user id');
  expect(nameToText('_')).toBe('_');
});
