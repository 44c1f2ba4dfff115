import { expect, it } from 'vitest';
import type { SecurityScheme } from './api-import';
import { buildCredentials, givenNames, schemeDestination, schemeFields } from './import-credentials';

const token: SecurityScheme = { name: 'token', auth_type: 'bearer', needs: ['token'], supported: true };
const key: SecurityScheme = {
  name: 'key',
  auth_type: 'api-key',
  needs: ['key_value'],
  supported: true,
  auth_credentials: { key_name: 'X-Key', key_location: 'header' },
};
const several: SecurityScheme = {
  name: 'a_and_b',
  auth_type: 'api-key',
  needs: ['keys'],
  supported: true,
  auth_credentials: {
    keys: [
      { key_name: 'X-App', key_location: 'header' },
      { key_name: 'Authorization', key_location: 'header', prefix: 'Bearer ' },
      { key_name: 'Authorization', key_location: 'header', prefix: 'Basic ' },
    ],
  },
};

it('the form asks only for values that the document does not specify', () => {
  expect(schemeFields(token).map(({ name }) => name)).toEqual(['token']);
  expect(schemeFields(key).map(({ name, secret }) => [name, secret])).toEqual([['key_value', true]]);
  expect(schemeFields(several).map(({ label }) => label)).toEqual([
    'X-App (header)',
    'Token',
    'User name and password, as name:password',
  ]);
  expect(schemeDestination(key)).toBe('header X-Key');
  expect(schemeDestination(token)).toBeUndefined();
});

it('credentials contain only schemes with typed values', () => {
  const values = { token: { token: 's3cret' }, key: { key_value: '' } };
  expect(buildCredentials([token, key], values)).toEqual({ token: { token: 's3cret' } });
  expect(givenNames([token, key], values)).toEqual({ token: {} });
});

it('several keys are sent together, with their prefixes', () => {
  const values = { a_and_b: { 'keys.0': 'app', 'keys.1': 't', 'keys.2': 'u:p' } };
  expect(buildCredentials([several], values)).toEqual({
    a_and_b: {
      keys: [
        { key_name: 'X-App', key_location: 'header', key_value: 'app' },
        { key_name: 'Authorization', key_location: 'header', key_value: 'Bearer t' },
        { key_name: 'Authorization', key_location: 'header', key_value: 'Basic dTpw' },
      ],
    },
  });
});
