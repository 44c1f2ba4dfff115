import { expect, it } from 'vitest';
import { sortErrors } from './field-errors';

it('faults go beside their fields, the others above the form', () => {
  const params = { name: 'name is taken.', 'arguments[city]': 'city is missing.', slug: 'slug is wrong.' };
  expect(sortErrors('Invalid', params, ['name', 'arguments'])).toEqual({
    fields: { name: 'name is taken.', arguments: 'city is missing.' },
    general: 'slug is wrong.',
  });
});

it('without params the message is all there is', () => {
  expect(sortErrors('The disk is full.', {}, ['name'])).toEqual({ fields: {}, general: 'The disk is full.' });
});

it('a field of the exact name comes first, and says all its faults', () => {
  expect(sortErrors('', { 'a[b]': 'one.', 'a[c]': 'two.', 'a[d]': 'three.' }, ['a', 'a[b]'])).toEqual({
    fields: { 'a[b]': 'one.', a: 'two. three.' },
    general: undefined,
  });
});
