import { expect, it } from 'vitest';
import { roleLabel, toggleScope } from './access';

it('scopes are switched one by one and keep their order', () => {
  expect(toggleScope(['mcp'], 'read', true)).toEqual(['read', 'mcp']);
  expect(toggleScope(['read', 'mcp'], 'read', false)).toEqual(['mcp']);
  expect(toggleScope(['read'], 'read', true)).toEqual(['read']);
});

it('a role of a newer service is shown as it is', () => {
  expect(roleLabel('admin')).toBe('Administrator');
  expect(roleLabel('auditor')).toBe('auditor');
});
