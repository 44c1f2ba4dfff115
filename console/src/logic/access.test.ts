import { expect, it } from 'vitest';
import type { Me } from '../api/types';
import { mayRemoveOwnAccounts, roleLabel, scopesForUser, toggleScope } from './access';

it('toggled scopes stay in order', () => {
  expect(toggleScope(['mcp'], 'read', true)).toEqual(['read', 'mcp']);
  expect(toggleScope(['read', 'mcp'], 'read', false)).toEqual(['mcp']);
  expect(toggleScope(['read'], 'read', true)).toEqual(['read']);
});

it('an unknown role of a newer service is shown as its identifier', () => {
  expect(roleLabel('admin')).toBe('Administrator');
  expect(roleLabel('auditor')).toBe('auditor');
});

it('keys of users with the role member can have only the scope mcp', () => {
  expect(scopesForUser({ role: 'member' }, ['read', 'mcp', 'admin'])).toEqual(['mcp']);
  expect(scopesForUser({ role: 'owner' }, ['read', 'mcp'])).toEqual(['read', 'mcp']);
  expect(scopesForUser(undefined, ['read'])).toEqual(['read']);
});

it('own accounts are removed without a key, or with an admin key that does not expire', () => {
  const me = (may_administer: boolean, key: { expires_at: string | null } | null) => ({ may_administer, key }) as Me;
  expect(mayRemoveOwnAccounts(me(false, null))).toBe(true);
  expect(mayRemoveOwnAccounts(me(true, { expires_at: null }))).toBe(true);
  expect(mayRemoveOwnAccounts(me(true, { expires_at: '2099-01-01T00:00:00' }))).toBe(false);
  expect(mayRemoveOwnAccounts(me(false, { expires_at: null }))).toBe(false);
});
