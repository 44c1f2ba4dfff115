/** Edits of objects that preserve key order, because users recognise their schema by it. */
import type { JsonObject } from './json';

/** Sets a key at its position, or appends a new one; undefined removes it. */
export function withKey(object: JsonObject, key: string, value: unknown): JsonObject {
  if (value === undefined) return withoutKey(object, key);
  if (!Object.hasOwn(object, key)) return Object.fromEntries([...Object.entries(object), [key, value]]);
  return Object.fromEntries(Object.entries(object).map((entry) => (entry[0] === key ? [key, value] : entry)));
}

export function withoutKey(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** Renames a key at its position. */
export function withRenamedKey(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value]));
}

/** Moves a key down by `steps`; up if negative. */
export function withMovedKey(object: JsonObject, key: string, steps: number): JsonObject {
  const entries = Object.entries(object);
  const from = entries.findIndex(([name]) => name === key);
  const to = from + steps;
  const [moved] = entries.slice(from, from + 1);
  if (!moved || to < 0 || to >= entries.length) return object;
  const others = entries.toSpliced(from, 1);
  return Object.fromEntries(others.toSpliced(to, 0, moved));
}
