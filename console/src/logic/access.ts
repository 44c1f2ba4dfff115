/** Labels of user roles and key scopes. A key may do what both its scopes and its user's role permit. */

export const roles = [
  { value: 'owner', label: 'Owner', text: 'creates and manages their own servers' },
  { value: 'viewer', label: 'Viewer', text: 'read-only access to their own servers' },
  { value: 'admin', label: 'Administrator', text: 'manages all servers, users and keys' },
] as const;

export type Role = (typeof roles)[number]['value'];

export const scopes = [
  { value: 'read', label: 'Read', text: 'View servers, calls and reports.' },
  {
    value: 'write',
    label: 'Write',
    text: 'Create, change and delete servers and their tools, prompts and resources. Includes read.',
  },
  { value: 'mcp', label: 'MCP', text: "Connect to the user's servers over MCP, as an AI client does." },
  { value: 'admin', label: 'Admin', text: 'Everything, including users and keys. Only effective for administrators.' },
] as const;

export type Scope = (typeof scopes)[number]['value'];

export function roleLabel(role: string): string {
  return roles.find(({ value }) => value === role)?.label ?? role;
}

/** Returns the scopes in the order of `scopes`, not in the order of clicks. */
export function toggleScope(chosenScopes: readonly Scope[], scope: Scope, on: boolean): Scope[] {
  return scopes.map(({ value }) => value).filter((value) => (value === scope ? on : chosenScopes.includes(value)));
}
