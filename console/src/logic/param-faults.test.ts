import { expect, it } from 'vitest';
import { plainFault, splitFault } from './param-faults';

it('each name has its fault', () => {
  const fault = 'headers[bad header]: a name holds only letters. headers[Ok] must not hold control characters.';
  expect(splitFault('headers', fault)).toEqual({
    'bad header': 'A name holds only letters.',
    Ok: 'Must not hold control characters.',
  });
});

it('two faults of a name are told together, and what comes first names nobody', () => {
  expect(splitFault('m', 'm must be fine. m[a][location] is not one. m[a] is odd.')).toEqual({
    '': 'M must be fine.',
    a: '[location] is not one. This is odd.',
  });
});

it('no fault is none', () => {
  expect(splitFault('headers', undefined)).toEqual({});
});

it('a fault beside its field does not repeat the name', () => {
  expect(plainFault('endpoint_url', 'endpoint_url must not be empty.')).toBe('Must not be empty.');
  expect(plainFault('arguments[city]', 'arguments[city]: is required')).toBe('This is required');
  expect(plainFault('headers', 'headers[a] is odd.')).toBe('headers[a] is odd.');
  expect(plainFault('name', 'names must differ')).toBe('Names must differ');
});

it('what is said about either is said about both', () => {
  expect(splitFault('a', 'a[x] or a[y] is required.')).toEqual({ x: 'This is required.', y: 'This is required.' });
});
