/**
 * Converts between the console's paths (`/servers`) and the browser's (`/gate/servers`). They differ if the public
 * address of the service has a path.
 */

/** The base path without its trailing slash: '' or '/gate'. */
export function parseBasePath(text: string | undefined): string {
  return (text ?? '').replace(/\/+$/, '');
}

/** Converts a path of the console to one of the browser. Addresses without a path (`?page=2`) stay as they are. */
export function addBasePath(basePath: string, path: string): string {
  return path.startsWith('/') ? basePath + path : path;
}

/** Converts a path of the browser to one of the console. */
export function removeBasePath(basePath: string, path: string): string {
  if (path === basePath) return '/';
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}
