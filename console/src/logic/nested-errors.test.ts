import { expect, it } from 'vitest';
import { nestedErrors, otherErrors } from './nested-errors';

const message =
  "settings[capture_max_bytes] is not of type integer. settings[allowed_origins]: 'foo' is not an origin; write scheme://host. settings[test_credentials][auth_type] is wrong.";

it('each error is assigned to its key', () => {
  expect(nestedErrors('settings', message)).toEqual({
    capture_max_bytes: 'capture_max_bytes is not of type integer.',
    allowed_origins: "allowed_origins: 'foo' is not an origin; write scheme://host.",
    test_credentials: 'test_credentials[auth_type] is wrong.',
  });
});

it('several errors of a key are joined', () => {
  expect(nestedErrors('c', 'c[a][0] x. c[a][1] y.')).toEqual({ a: 'a[0] x. a[1] y.' });
});

it('errors without a field are returned separately', () => {
  expect(otherErrors('settings', message, ['capture_max_bytes', 'allowed_origins'])).toBe(
    'test_credentials[auth_type] is wrong.',
  );
  expect(otherErrors('settings', 'settings is not an object.', [])).toBe('settings is not an object.');
  expect(otherErrors('settings', undefined, [])).toBeUndefined();
});

it('a text without keys has no nested errors', () => {
  expect(nestedErrors('settings', 'settings[broken')).toEqual({});
});
