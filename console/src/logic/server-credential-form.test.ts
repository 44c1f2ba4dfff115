import { expect, test } from 'vitest';
import type { ServerCredential } from '../api/types';
import {
  deletionText,
  newServerCredential,
  serverCredentialBody,
  sharedAuthOptions,
  toServerCredentialForm,
} from './server-credential-form';

const saved: ServerCredential = {
  id: 1,
  server_id: 1,
  name: 'main',
  auth_type: 'basic',
  auth_credentials: null,
  has_credentials: true,
  tools_count: 2,
  created_at: '2026-01-02T03:04:05',
  updated_at: '2026-01-02T03:04:05',
};

test('stored values are kept unless they are replaced', () => {
  const form = toServerCredentialForm(saved);
  expect(serverCredentialBody(form)).toEqual({ name: 'main', auth_type: 'basic' });
  const replaced = { authType: 'basic', values: { username: 'u', password: 'p' } } as const;
  expect(serverCredentialBody({ ...form, credential: replaced })).toEqual({
    name: 'main',
    auth_type: 'basic',
    auth_credentials: { username: 'u', password: 'p' },
  });
});

test('a credential can be saved without its values', () => {
  expect(toServerCredentialForm({ ...saved, has_credentials: false }).credential.values).toEqual({
    username: '',
    password: '',
  });
  expect(serverCredentialBody({ ...newServerCredential, name: ' a ' })).toEqual({ name: 'a', auth_type: 'bearer' });
});

test('a credential of a server cannot have the type none', () => {
  expect(sharedAuthOptions.map(({ value }) => value)).toEqual(['bearer', 'basic', 'api-key', 'oauth2']);
});

test('the deletion says how many tools are affected', () => {
  expect(deletionText({ tools_count: 0 })).toBe('No tool uses it.');
  expect(deletionText({ tools_count: 1 })).toMatch(/^1 tool uses it\. Its calls fail/);
  expect(deletionText({ tools_count: 7 })).toMatch(/^7 tools use it\. Their calls fail/);
});
