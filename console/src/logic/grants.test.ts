import { expect, it } from 'vitest';
import { kindDetail, kindLabel, redirectTarget, scopeLabel } from './grants';

it('a client is described by what is verified', () => {
  const client_id = 'https://claude.ai/oauth/mcp-oauth-client-metadata';
  expect(kindDetail({ client_kind: 'metadata_document', client_id })).toBe('verified: claude.ai');
  expect(kindDetail({ client_kind: 'registered', client_id: 'tgx_1' })).toBe('registered itself, not verified');
  expect(kindDetail({ client_kind: 'preregistered', client_id: 'tgx_1' })).toBe('registered by an administrator');
  expect(kindLabel('metadata_document')).toBe('Metadata document');
  expect(kindLabel('later')).toBe('later');
});

it('a redirect goes to a host, a program or the computer of the user', () => {
  expect(redirectTarget('claude.ai', true)).toBe('claude.ai');
  expect(redirectTarget('cursor', false)).toBe('cursor');
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(redirectTarget(host, true)).toBe('a program on your computer');
    expect(redirectTarget(host, false)).toBe('a program on their computer');
  }
});

it('changing includes reading', () => {
  expect(scopeLabel(['mcp:read'])).toBe('Read');
  expect(scopeLabel(['mcp:read', 'mcp:write'])).toBe('Read and change');
  expect(scopeLabel(['mcp:write'])).toBe('Read and change');
});
