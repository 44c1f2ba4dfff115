/** Reordering of lists. */

/** Moves the item at `from` to `to`. */
export function move<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = items.slice(from, from + 1);
  return items.toSpliced(from, 1).toSpliced(to, 0, ...moved);
}

/** The new index of an item that is dropped before or after `target`; its removal shifts the items behind it. */
export function dropIndex(from: number, target: number, edge: 'before' | 'after'): number {
  const gap = edge === 'before' ? target : target + 1;
  return from < gap ? gap - 1 : gap;
}

/** Sorts `items` by `ids`; items not in `ids` follow in their order. */
export function sortByIds<Item extends { id: number }>(items: readonly Item[], ids: readonly number[]): Item[] {
  const positions = new Map(ids.map((id, position) => [id, position]));
  return items.toSorted((a, b) => (positions.get(a.id) ?? ids.length) - (positions.get(b.id) ?? ids.length));
}
