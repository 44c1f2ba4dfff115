import { expect, it } from 'vitest';
import { roleLabel, scopesForUser, toggleScope } from './access';

it('toggled scopes stay in order', () => {
  expect(toggleScope(['mcp'], 'read', true)).toEqual(['read', 'mcp']);
  expect(toggleScope(['read', 'mcp'], 'read', false)).toEqual(['mcp']);
  expect(toggleScope(['read'], 'read', true)).toEqual(['read']);
});

it('an unknown role of a newer service is shown as its identifier', () => {
  expect(roleLabel('admin')).toBe('Administrator');
  expect(roleLabel('auditor')).toBe('auditor');
});

it('keys of members are only for servers', () => {
  expect(scopesForUser({ role: 'member' }, ['read', 'mcp', 'admin'])).toEqual(['mcp']);
  expect(scopesForUser({ role: 'owner' }, ['read', 'mcp'])).toEqual(['read', 'mcp']);
  expect(scopesForUser(undefined, ['read'])).toEqual(['read']);
});
