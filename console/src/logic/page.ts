/** The page of a list that the address asks for; the first one where it asks for none, or for nonsense. */
export function readPage(query: URLSearchParams): number {
  return Math.max(1, Math.trunc(Number(query.get('page'))) || 1);
}
