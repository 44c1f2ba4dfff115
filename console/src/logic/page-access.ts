/** Which pages a role sees. A member uses servers and manages nothing, so only their connections are left. */

export const myConnectionsPath = '/my-connections';

/** The role whose users may not use the management API, except for what is their own. */
export function managesNothing(role: string | undefined): boolean {
  return role === 'member';
}

/** The path of the page to show; undefined if the role may not see the page. */
export function pagePath(role: string | undefined, path: string): string | undefined {
  if (!managesNothing(role)) return path;
  return path === '/' || path === myConnectionsPath ? myConnectionsPath : undefined;
}
