/** Changes to objects that leave everything else where it is: order is what people recognise their schema by. */
import type { JsonObject } from './json';

/** With a key set in its place, or at the end where it is new; undefined takes it away. */
export function withKey(object: JsonObject, key: string, value: unknown): JsonObject {
  if (value === undefined) return withoutKey(object, key);
  if (!Object.hasOwn(object, key)) return Object.fromEntries([...Object.entries(object), [key, value]]);
  return Object.fromEntries(Object.entries(object).map((entry) => (entry[0] === key ? [key, value] : entry)));
}

export function withoutKey(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** With another name in the same place. */
export function withName(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value]));
}

/** With a key `steps` places further down; up where that is negative. */
export function withMoved(object: JsonObject, key: string, steps: number): JsonObject {
  const entries = Object.entries(object);
  const from = entries.findIndex(([name]) => name === key);
  const to = from + steps;
  const [moved] = entries.slice(from, from + 1);
  if (!moved || to < 0 || to >= entries.length) return object;
  const others = entries.toSpliced(from, 1);
  return Object.fromEntries(others.toSpliced(to, 0, moved));
}
