/** Roles of users and scopes of keys, in words. What a key may do is what both of them allow. */

export const roles = [
  { value: 'owner', label: 'Owner', text: 'makes servers and manages those' },
  { value: 'viewer', label: 'Viewer', text: 'looks at own servers, changes nothing' },
  { value: 'admin', label: 'Administrator', text: 'manages all servers, users and keys' },
] as const;

export type Role = (typeof roles)[number]['value'];

export const scopes = [
  { value: 'read', label: 'Read', text: 'See servers, calls and reports.' },
  { value: 'write', label: 'Write', text: 'Change servers and what is in them. Includes read.' },
  { value: 'mcp', label: 'MCP', text: "Use the owner's servers over MCP, as an AI client." },
  { value: 'admin', label: 'Admin', text: 'Everything, users and keys included. Counts for administrators only.' },
] as const;

export type Scope = (typeof scopes)[number]['value'];

export function roleLabel(role: string): string {
  return roles.find(({ value }) => value === role)?.label ?? role;
}

/** In the order of the list above, whatever the order of clicks. */
export function toggleScope(chosen: readonly Scope[], scope: Scope, on: boolean): Scope[] {
  return scopes.map(({ value }) => value).filter((value) => (value === scope ? on : chosen.includes(value)));
}
