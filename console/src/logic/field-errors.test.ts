import { expect, it } from 'vitest';
import { assignErrors } from './field-errors';

it('errors are assigned to their fields, the rest is general', () => {
  const params = { name: 'name is taken.', 'arguments[city]': 'city is missing.', slug: 'slug is wrong.' };
  expect(assignErrors('Invalid', params, ['name', 'arguments'])).toEqual({
    fields: { name: 'name is taken.', arguments: 'city is missing.' },
    general: 'slug is wrong.',
  });
});

it('without params the message is general', () => {
  expect(assignErrors('The disk is full.', {}, ['name'])).toEqual({ fields: {}, general: 'The disk is full.' });
});

it('a field with the exact name is preferred; several errors of a field are joined', () => {
  expect(assignErrors('', { 'a[b]': 'one.', 'a[c]': 'two.', 'a[d]': 'three.' }, ['a', 'a[b]'])).toEqual({
    fields: { 'a[b]': 'one.', a: 'two. three.' },
    general: undefined,
  });
});
