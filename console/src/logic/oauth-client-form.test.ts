import { expect, it } from 'vitest';
import { methodLabel, oauthClientBody, redirectError } from './oauth-client-form';

it('each line is an address', () => {
  const redirectUris = ' https://a.example/callback \n\nhttp://127.0.0.1/callback';
  expect(oauthClientBody({ name: 'n8n', redirectUris, method: 'client_secret_post' })).toEqual({
    name: 'n8n',
    redirect_uris: ['https://a.example/callback', 'http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'client_secret_post',
  });
});

it('an error names the address by its position', () => {
  expect(redirectError('redirect_uris[1]: must be https.')).toBe('Address 2: must be https.');
  expect(redirectError(undefined)).toBeUndefined();
});

it('a method has a short label', () => {
  expect(methodLabel('none')).toBe('No secret');
  expect(methodLabel('later')).toBe('later');
});
