/** The console's paths (`/servers`) and the browser's (`/gate/servers`), if the service has a public address with a path. */

/** The base path without its trailing slash: '' or '/gate'. */
export function parseBasePath(text: string | undefined): string {
  return (text ?? '').replace(/\/+$/, '');
}

/** The browser's form of a path of the console. Other forms, such as a query alone, stay as they are. */
export function addBasePath(basePath: string, path: string): string {
  return path.startsWith('/') ? basePath + path : path;
}

/** The console's form of a path of the browser. */
export function removeBasePath(basePath: string, path: string): string {
  if (path === basePath) return '/';
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}
