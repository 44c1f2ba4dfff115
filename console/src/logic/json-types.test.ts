import { describe, expect, it } from 'vitest';
import { toType, valueText, valueTexts } from './json-types';

describe('values as text', () => {
  it('joins lists, and writes objects as JSON', () => {
    expect([valueText('a'), valueText(1.5), valueText(null), valueText([1, null, 'b']), valueText({ a: 1 })]).toEqual([
      'a',
      '1.5',
      '',
      '1,b',
      '{"a":1}',
    ]);
  });

  it('returns one text for each item of a list', () => {
    expect(valueTexts(['a', null, [1], { b: 2 }])).toEqual(['a', '[1]', '{"b":2}']);
    expect(valueTexts(null)).toEqual([]);
    expect(valueTexts('')).toEqual(['']);
  });
});

describe('conversion to another type', () => {
  it.each([
    [2, 'string', '2'],
    ['2', 'integer', 2],
    ['2.5', 'integer', undefined],
    ['2.5', 'number', 2.5],
    ['', 'number', undefined],
    ['true', 'boolean', true],
    ['maybe', 'boolean', undefined],
    ['a', 'array', ['a']],
    [null, 'array', []],
    ['a', 'object', undefined],
    [{ a: 1 }, 'object', { a: 1 }],
  ] as const)('%j as %s is %j', (value, type, result) => expect(toType(value, type)).toEqual(result));
});
