/** Which pages a role may see. Users with the role `member` manage nothing, so they see only My connections. */

export const myConnectionsPath = '/my-connections';

/** Whether users with the role may use the management API only for their own account and connections. */
export function isMemberRole(role: string | undefined): boolean {
  return role === 'member';
}

/**
 * The path of the page to show at a path: My connections at `/` for the role `member`. Undefined if the role may not
 * see the page.
 */
export function pagePath(role: string | undefined, path: string): string | undefined {
  if (!isMemberRole(role)) return path;
  return path === '/' || path === myConnectionsPath ? myConnectionsPath : undefined;
}
