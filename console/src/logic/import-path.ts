/** The import page of the server that `path` belongs to, or the page that asks for a server. */
export function importPath(path: string): string {
  const server = /^\/servers\/(\d+)(\/|$)/.exec(path)?.[1];
  return server === undefined ? '/import' : `/servers/${server}/import`;
}
