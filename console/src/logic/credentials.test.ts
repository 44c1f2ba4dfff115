import { expect, it } from 'vitest';
import { credentialBody, emptyValues, storedCredential } from './credentials';

it('a stored credential stays unless another is typed', () => {
  expect(credentialBody(storedCredential('bearer'))).toEqual({ auth_type: 'bearer' });
  expect(credentialBody(storedCredential(undefined))).toEqual({ auth_type: 'none' });
  expect(credentialBody(storedCredential('magic'))).toEqual({ auth_type: 'none' });
});

it('typed values are sent, except empty optional ones', () => {
  const values = { ...emptyValues('oauth2'), token_url: 'https://a.example', client_id: 'me' };
  expect(credentialBody({ authType: 'oauth2', values })).toEqual({
    auth_type: 'oauth2',
    auth_credentials: { token_url: 'https://a.example', client_id: 'me', client_secret: '' },
  });
});

it('no credentials are sent without authentication', () => {
  expect(credentialBody({ authType: 'none', values: { token: 'left over' } })).toEqual({ auth_type: 'none' });
});

it('a choice starts with its first option', () => {
  expect(emptyValues('api-key')).toEqual({ key_name: '', key_value: '', key_location: 'header' });
});
