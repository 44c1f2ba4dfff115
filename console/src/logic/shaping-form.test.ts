import { expect, it } from 'vitest';
import {
  describeShaping,
  newToolShaping,
  type ShapingForm,
  shapingErrors,
  toShaping,
  toShapingForm,
  withMode,
} from './shaping-form';

const complete = {
  max_tokens: 2000,
  fields: ['items[].title', 'total'],
  omit: ['*_url'],
  drop_empty: true,
  tables: true,
  html: 'text',
  blobs: 'describe',
  overflow_minutes: 60,
  wrap: false,
};

it('every key is read and written', () => {
  for (const value of [null, {}, complete, newToolShaping, { overflow_minutes: 0 }, { wrap: false }]) {
    expect(toShaping(toShapingForm(value))).toEqual(value);
  }
  expect(toShapingForm(null).mode).toBe('default');
  expect(toShapingForm({}).mode).toBe('off');
  expect(toShapingForm(complete).mode).toBe('own');
});

it('keys with their default are left out, but rules are never empty', () => {
  const defaults = { fields: [], omit: null, drop_empty: false, html: 'keep', max_tokens: null, overflow_minutes: 15 };
  expect(toShaping(toShapingForm(defaults))).toEqual({ wrap: true });
});

it('paths are one per line, and numbers are left to the API', () => {
  const form: ShapingForm = { ...toShapingForm({}), mode: 'own', fields: ' a \n\nb.c ', maxTokens: 'many' };
  expect(toShaping(form)).toEqual({ fields: ['a', 'b.c'], max_tokens: 'many' });
  expect(toShaping({ ...form, maxTokens: ' 500 ', overflowMinutes: '' })).toEqual({
    fields: ['a', 'b.c'],
    max_tokens: 500,
    overflow_minutes: '',
  });
});

it('own rules start as those of new tools, and survive a change of mode', () => {
  expect(toShaping(withMode(toShapingForm(null), 'own'))).toEqual(newToolShaping);
  const off = withMode(toShapingForm(complete), 'off');
  expect(toShaping(off)).toEqual({});
  expect(toShaping(withMode(off, 'own'))).toEqual(complete);
});

it('rules are described in words', () => {
  expect(describeShaping(undefined)).toBe('responses stay as they are');
  expect(describeShaping(newToolShaping)).toBe(
    'at most 8,000 tokens, without empty members, HTML as Markdown, files as links',
  );
  expect(describeShaping({ wrap: true })).toBe('JSON without white space');
});

it('errors are assigned to their keys, and errors of paths name the line', () => {
  const error =
    "shaping[max_tokens] must be between 200 and 100000. shaping[omit][1] must not be empty. shaping[omit][3]: '..' is odd.";
  expect(shapingErrors(error)).toEqual({
    max_tokens: 'Must be between 200 and 100000.',
    omit: "Line 2 must not be empty. Line 4: '..' is odd.",
  });
  expect(shapingErrors('shaping is not of type object.')).toEqual({ '': 'Shaping is not of type object.' });
  expect(shapingErrors(undefined)).toEqual({});
});
