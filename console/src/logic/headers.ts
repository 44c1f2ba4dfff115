/** Converts request headers between the object of the API and the rows of an editor. */
import type { JsonObject } from './json';

export interface HeaderPair {
  name: string;
  value: string;
}

export function toHeaderPairs(headers: JsonObject): HeaderPair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));
}

/** Leaves out rows without a name. */
export function toHeaders(pairs: readonly HeaderPair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
}
