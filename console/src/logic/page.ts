/** Reads the page number from the query string; 1 if it is missing or invalid. */
export function readPage(query: URLSearchParams): number {
  return Math.max(1, Math.trunc(Number(query.get('page'))) || 1);
}
