/** Labels of user roles and key scopes. A key may do what both its scopes and its user's role permit. */

import type { Me, User } from '../api/types';

export const roles = [
  { value: 'owner', label: 'Owner', text: 'manages their own servers, and uses those shared with them' },
  { value: 'viewer', label: 'Viewer', text: 'reads their own servers and those shared with them' },
  { value: 'member', label: 'Member', text: 'uses servers that they were given access to, and manages nothing' },
  { value: 'admin', label: 'Administrator', text: 'manages all servers, users and keys' },
] as const;

export type Role = (typeof roles)[number]['value'];

export const memberRoles = [
  { value: 'viewer', label: 'Viewer', text: 'reads the server, its calls and reports' },
  { value: 'editor', label: 'Editor', text: 'also changes it and tests its tools' },
] as const;

export type MemberRole = (typeof memberRoles)[number]['value'];

export const scopes = [
  { value: 'read', label: 'Read', text: 'View servers, calls and reports.' },
  {
    value: 'write',
    label: 'Write',
    text: 'Create, change and delete servers and their tools, prompts and resources. Includes read.',
  },
  { value: 'mcp', label: 'MCP', text: "Connect to the user's servers over MCP, as an AI client does." },
  {
    value: 'metrics',
    label: 'Metrics',
    text: 'Read the metrics of the service. Only effective for administrators.',
  },
  { value: 'admin', label: 'Admin', text: 'Everything, including users and keys. Only effective for administrators.' },
] as const;

export type Scope = (typeof scopes)[number]['value'];

/** The scopes that the user may give to a new key: all for administrators, else those of the user's own key. */
export function grantableScopes(me: Me): Scope[] {
  const all = scopes.map(({ value }) => value);
  if (me.may_administer) return all;
  // A session without a key has every scope that the role allows.
  const ownScopes: readonly string[] = me.key?.scopes ?? ['admin'];
  const own = ownScopes.includes('write') ? [...ownScopes, 'read'] : ownScopes;
  const isAdminKey = ownScopes.includes('admin');
  return all.filter((scope) => scope !== 'admin' && scope !== 'metrics' && (isAdminKey || own.includes(scope)));
}

/** The scopes that a key of this user can have: a member manages nothing. */
export function scopesForUser(user: Pick<User, 'role'> | undefined, offered: readonly Scope[]): Scope[] {
  return offered.filter((scope) => user?.role !== 'member' || scope === 'mcp');
}

export function roleLabel(role: string): string {
  return roles.find(({ value }) => value === role)?.label ?? role;
}

/** Returns the scopes in the order of `scopes`, not in the order of clicks. */
export function toggleScope(chosenScopes: readonly Scope[], scope: Scope, on: boolean): Scope[] {
  return scopes.map(({ value }) => value).filter((value) => (value === scope ? on : chosenScopes.includes(value)));
}

/**
 * Whether the caller may remove own accounts at an OpenID provider. A key needs all rights and must not expire, because
 * an account outlives it.
 */
export function mayRemoveOwnAccounts(me: Me): boolean {
  return me.key === null || (me.may_administer && me.key.expires_at === null);
}
