import { expect, it } from 'vitest';
import { type FormValue, fromForm, startValue, toForm } from './form-values';
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

it('it starts with what is suggested for what is required', () => {
  expect(read(startValue(form))).toEqual({ json: { city: 'Berlin' }, faults: {} });
});

it('what is left empty is left out, except what is required', () => {
  expect(read({ city: '', days: '', tags: [], any: ' ' }).json).toEqual({ city: '' });
});

it('values are of their types', () => {
  const value = { city: 'Oslo', days: ' 5 ', exact: false, units: '{"a":1}', tags: ['a', ''], any: '[null]' };
  expect(read(value)).toEqual({
    json: { city: 'Oslo', days: 5, exact: false, units: { a: 1 }, tags: ['a', ''], any: [null] },
    faults: {},
  });
});

it('what cannot be read is told by its place, as the API spells it', () => {
  const faults = read({ days: '1.5', any: '{', place: { floor: 'up' } }).faults;
  expect(Object.keys(faults)).toEqual(['arguments[days]', 'arguments[place][floor]', 'arguments[any]']);
});

it.runIf('rawJSON' in JSON)('long numbers keep their digits', () => {
  const { json, faults } = read({ city: 'a', days: '12345678901234567890' });
  expect(faults).toEqual({});
  expect(JSON.stringify(json)).toContain('"days":12345678901234567890');
  expect(toForm(form, json)).toMatchObject({ value: { days: '12345678901234567890' } });
});

it.runIf(!('rawJSON' in JSON))('where they would lose them they are not sent', () => {
  expect(read({ days: '12345678901234567890' }).faults).toHaveProperty(['arguments[days]']);
});

it('numbers that would change on the way are not sent', () => {
  expect(read({ days: '00012345678901234567890' }).faults).toHaveProperty(['arguments[days]']);
  expect(read({ days: 'Infinity' }).faults).toHaveProperty(['arguments[days]']);
});

it('an object that is optional asks for its required parts once it is begun', () => {
  expect(read({ city: 'a', place: { zip: '' } })).toEqual({ json: { city: 'a' }, faults: {} });
  expect(read({ city: 'a', place: { zip: '1' } }).faults).toEqual({ 'arguments[place][floor]': 'This is required.' });
});

it.each([
  { city: 'Rome' },
  { city: '', days: 0, exact: true, units: 7 },
  { city: 'a\nb', tags: ['x', ''], place: { zip: '1', floor: -2.5 }, any: { deep: [1, null] } },
  { city: 'a', units: { a: 1 }, any: null },
])('arguments go into the form and come back: %j', (args) => {
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
])('what the form would lose does not go in: %j', (args) => {
  expect(toForm(form, args)).toBeUndefined();
});

it('names of the language are names like any other', () => {
  const odd = formOf({ properties: { __proto__x: { type: 'string' }, constructor: { type: 'string' } } });
  expect(fromForm(odd, {}).json).toEqual({});
});
