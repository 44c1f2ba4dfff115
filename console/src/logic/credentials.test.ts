import { expect, it } from 'vitest';
import { credentialBody, initialCredentialForm, initialValues } from './credentials';

it('a form without typed values sends only the authentication type', () => {
  expect(credentialBody(initialCredentialForm('bearer'))).toEqual({ auth_type: 'bearer' });
  expect(credentialBody(initialCredentialForm(undefined))).toEqual({ auth_type: 'none' });
  expect(credentialBody(initialCredentialForm('magic'))).toEqual({ auth_type: 'none' });
});

it('typed values are sent, except empty optional ones', () => {
  const values = { ...initialValues('oauth2'), token_url: 'https://a.example', client_id: 'me' };
  expect(credentialBody({ authType: 'oauth2', values })).toEqual({
    auth_type: 'oauth2',
    auth_credentials: { token_url: 'https://a.example', client_id: 'me', client_secret: '' },
  });
});

it('the type none sends no credentials', () => {
  expect(credentialBody({ authType: 'none', values: { token: 'left over' } })).toEqual({ auth_type: 'none' });
});

it('a choice starts with its first option', () => {
  expect(initialValues('api-key')).toEqual({ key_name: '', key_value: '', key_location: 'header' });
});
