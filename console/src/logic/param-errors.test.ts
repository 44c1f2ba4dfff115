import { expect, it } from 'vitest';
import { shortenParamError, splitParamError } from './param-errors';

it('errors are split by name', () => {
  const error = 'headers[bad header]: a name holds only letters. headers[Ok] must not hold control characters.';
  expect(splitParamError('headers', error)).toEqual({
    'bad header': 'A name holds only letters.',
    Ok: 'Must not hold control characters.',
  });
});

it("errors of a name are joined, and text before the first name has the key ''", () => {
  const error = 'mapping has unknown names. mapping[city][location] must be path. mapping[city] is not used.';
  expect(splitParamError('mapping', error)).toEqual({
    '': 'Mapping has unknown names.',
    city: 'location must be path. This is not used.',
  });
});

it('errors have the first name in brackets as key; further names stay in the text', () => {
  const error = 'auth[keys][0][key_name] is required. auth[keys][1][key_value]: not in a path. auth[login][x] is odd.';
  expect(splitParamError('auth', error)).toEqual({
    keys: '0.key_name is required. 1.key_value: not in a path.',
    login: 'x is odd.',
  });
});

it('no error gives no entries', () => {
  expect(splitParamError('headers', undefined)).toEqual({});
});

it('an error does not repeat the name of its field', () => {
  expect(shortenParamError('endpoint_url', 'endpoint_url must not be empty.')).toBe('Must not be empty.');
  expect(shortenParamError('arguments[city]', 'arguments[city]: is required')).toBe('This is required');
  expect(shortenParamError('headers', 'headers[a] is odd.')).toBe('headers[a] is odd.');
  expect(shortenParamError('name', 'names must differ')).toBe('Names must differ');
});

it('an error about alternatives applies to both', () => {
  expect(splitParamError('a', 'a[x] or a[y] is required.')).toEqual({ x: 'This is required.', y: 'This is required.' });
});
