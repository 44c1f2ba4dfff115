/** The page that imports a document, seen from a page of the console. */
export function importPath(path: string): string {
  const server = /^\/servers\/(\d+)(\/|$)/.exec(path)?.[1];
  return server === undefined ? '/import' : `/servers/${server}/import`;
}
