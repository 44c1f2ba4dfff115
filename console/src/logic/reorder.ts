/** Moving things within a list. */

/** The list with the item at `from` standing at `to`. */
export function move<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = items.slice(from, from + 1);
  return items.toSpliced(from, 1).toSpliced(to, 0, ...moved);
}

/** Where an item ends up that is dropped before or after another one: taking it out first moves those behind it up. */
export function dropIndex(from: number, target: number, edge: 'before' | 'after'): number {
  const gap = edge === 'before' ? target : target + 1;
  return from < gap ? gap - 1 : gap;
}

/** `items` in the order of `ids`; those that are not named follow as they were. */
export function inOrder<Item extends { id: number }>(items: readonly Item[], ids: readonly number[]): Item[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  return items.toSorted((a, b) => (places.get(a.id) ?? ids.length) - (places.get(b.id) ?? ids.length));
}
