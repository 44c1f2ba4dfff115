import { expect, it } from 'vitest';
import { type FormValue, fromForm, initialValue, toForm } from './form-values';
import { formOf } from './schema-form';

const form = formOf({
  type: 'object',
  properties: {
    city: { type: 'string', examples: ['Berlin'] },
    days: { type: 'integer', default: 3 },
    exact: { type: 'boolean' },
    units: { enum: ['metric', 7, { a: 1 }] },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { zip: { type: 'string' }, floor: { type: 'number' } }, required: ['floor'] },
    any: {},
  },
  required: ['city'],
});

const read = (value: FormValue) => fromForm(form, value);

it('the initial form has the suggestions of required fields', () => {
  expect(read(initialValue(form))).toEqual({ json: { city: 'Berlin' }, errors: {} });
});

it('empty fields are omitted unless required', () => {
  expect(read({ city: '', days: '', tags: [], any: ' ' }).json).toEqual({ city: '' });
});

it('values have the types of their fields', () => {
  const value = { city: 'Oslo', days: ' 5 ', exact: false, units: '{"a":1}', tags: ['a', ''], any: '[null]' };
  expect(read(value)).toEqual({
    json: { city: 'Oslo', days: 5, exact: false, units: { a: 1 }, tags: ['a', ''], any: [null] },
    errors: {},
  });
});

it('invalid values are reported by path, in the notation of the API', () => {
  const errors = read({ days: '1.5', any: '{', place: { floor: 'up' } }).errors;
  expect(Object.keys(errors)).toEqual(['arguments[days]', 'arguments[place][floor]', 'arguments[any]']);
});

it.runIf('rawJSON' in JSON)('long numbers keep their digits', () => {
  const { json, errors } = read({ city: 'a', days: '12345678901234567890' });
  expect(errors).toEqual({});
  expect(JSON.stringify(json)).toContain('"days":12345678901234567890');
  expect(toForm(form, json)).toMatchObject({ value: { days: '12345678901234567890' } });
});

it.runIf(!('rawJSON' in JSON))('long numbers that would be rounded are not sent', () => {
  expect(read({ days: '12345678901234567890' }).errors).toHaveProperty(['arguments[days]']);
});

it('numbers that JSON cannot represent are not sent', () => {
  expect(read({ days: '00012345678901234567890' }).errors).toHaveProperty(['arguments[days]']);
  expect(read({ days: 'Infinity' }).errors).toHaveProperty(['arguments[days]']);
});

it('an optional object requires its required fields once one is filled', () => {
  expect(read({ city: 'a', place: { zip: '' } })).toEqual({ json: { city: 'a' }, errors: {} });
  expect(read({ city: 'a', place: { zip: '1' } }).errors).toEqual({ 'arguments[place][floor]': 'This is required.' });
});

it.each([
  { city: 'Rome' },
  { city: '', days: 0, exact: true, units: 7 },
  { city: 'a\nb', tags: ['x', ''], place: { zip: '1', floor: -2.5 }, any: { deep: [1, null] } },
  { city: 'a', units: { a: 1 }, any: null },
])('arguments round-trip through the form: %j', (args) => {
  const shown = toForm(form, args);
  expect(shown && read(shown.value).json).toEqual(args);
});

it.each([
  { city: 5 },
  { city: 'a', other: 1 },
  { city: 'a', days: '3' },
  { city: 'a', tags: [1] },
  { city: 'a', tags: [] },
  { city: 'a', place: {} },
  { city: 'a', units: 'other' },
  { city: null },
  ['city'],
])('arguments that the form cannot represent are rejected: %j', (args) => {
  expect(toForm(form, args)).toBeUndefined();
});

it('names such as constructor are ordinary names', () => {
  const odd = formOf({ properties: { __proto__x: { type: 'string' }, constructor: { type: 'string' } } });
  expect(fromForm(odd, {}).json).toEqual({});
});
