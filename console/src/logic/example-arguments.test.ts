import { expect, it } from 'vitest';
import { exampleArguments } from './example-arguments';

const example = (property: object) =>
  exampleArguments({ type: 'object', required: ['a'], properties: { a: property } }).a;

it('only required arguments are generated', () => {
  const properties = { a: { type: 'string' }, b: { type: 'integer' } };
  expect(exampleArguments({ type: 'object', required: ['b'], properties })).toEqual({ b: 1 });
  expect(exampleArguments(undefined)).toEqual({});
});

it('values of the document come first', () => {
  expect(example({ type: 'string', examples: ['Rex', 'Tom'], default: 'x' })).toBe('Rex');
  expect(example({ type: 'string', default: 'x' })).toBe('x');
  expect(example({ enum: [null, 'sold'] })).toBe('sold');
  expect(example({ const: 5 })).toBe(5);
});

it('generated values fit the schema', () => {
  expect(example({ type: 'integer', minimum: 10 })).toBe(10);
  expect(example({ type: 'number', exclusiveMinimum: 0, maximum: 0.5 })).toBe(0.5);
  expect(example({ type: 'integer', minimum: 7, multipleOf: 5 })).toBe(10);
  expect(example({ type: ['null', 'string'], format: 'date' })).toBe('2026-01-31');
  expect(example({ type: 'string', minLength: 9 })).toBe('examplexx');
  expect(example({ type: 'array', minItems: 2, items: { type: 'boolean' } })).toEqual([true, true]);
  expect(example({ anyOf: [{ type: 'integer' }, { type: 'string' }] })).toBe(1);
});

it('references are followed, also recursive ones', () => {
  const node = { type: 'object', required: ['next'], properties: { next: { $ref: '#/$defs/node' } } };
  const schema = { required: ['a'], properties: { a: { $ref: '#/$defs/node' } }, $defs: { node } };
  expect(JSON.stringify(exampleArguments(schema)).length).toBeLessThan(200);
});
