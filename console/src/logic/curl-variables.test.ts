import { expect, it } from 'vitest';
import type { CurlDraft } from './curl-draft';
import { fillVariables, missingVariables } from './curl-variables';

/** A variable in braces, joined because the linter warns about template syntax in plain strings. */
const braced = ['$', '{KEY}'].join('');

const draft: CurlDraft = {
  name: 'list_users',
  description: '',
  endpoint_url: 'https://$TENANT.example.com/$TENANT',
  http_method: 'GET',
  headers: { 'X-Region': '$REGION', 'X-Other': '$5' },
  auth_type: 'api-key',
  auth_credentials: {
    keys: [
      { key_name: 'a', key_value: '$KEY', key_location: 'query' },
      { key_name: '$KEY', key_value: `${braced}-$KEY_2`, key_location: 'query' },
    ],
  },
  body: {},
  input_schema: {},
  parameter_mapping: {},
  warnings: [
    '$KEY is a shell variable and is not expanded. Replace it with its value.',
    'The host of the URL looks like a placeholder. Replace it with the real host.',
    '-k was ignored.',
  ],
  variables: ['$KEY', braced, '$KEY_2', '$REGION', '$TENANT'].map((text) => ({ text, secret: true })),
};

it('values replace the variables in credentials, headers and host', () => {
  const values = { $KEY: 'k$&', [braced]: 'l', $KEY_2: '$REGION', $REGION: 'eu', $TENANT: 'acme' };
  const filled = fillVariables(draft, values);
  expect(filled.endpoint_url).toBe('https://acme.example.com/$TENANT');
  expect(filled.headers).toEqual({ 'X-Region': 'eu', 'X-Other': '$5' });
  expect(filled.auth_credentials).toEqual({
    keys: [
      { key_name: 'a', key_value: 'k$&', key_location: 'query' },
      { key_name: '$KEY', key_value: 'l-$REGION', key_location: 'query' },
    ],
  });
  expect(filled.warnings).toEqual(['-k was ignored.']);
  expect(missingVariables(draft, values)).toEqual([]);
});

it('variables without a value stay and are missing', () => {
  const filled = fillVariables(draft, { $KEY: '' });
  expect(filled.headers['X-Region']).toBe('$REGION');
  expect(filled.warnings).toHaveLength(2);
  expect(missingVariables(draft, { $KEY: '', $REGION: 'eu' })).toEqual(['$KEY', braced, '$KEY_2', '$TENANT']);
});

it('a draft without variables is unchanged', () => {
  const { variables: _, ...plain } = draft;
  expect(fillVariables(plain, { $KEY: 'k' })).toBe(plain);
});
