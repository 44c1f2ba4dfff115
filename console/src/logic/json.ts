/** Parsing, formatting and comparison of untrusted JSON. */
import { isRawNumber, parseExact } from './exact-json';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** Preserves all digits of numbers. The wrapper object distinguishes JSON `null` from invalid JSON. */
export function parseJson(text: string): { json: unknown } | undefined {
  try {
    return { json: parseExact(text) };
  } catch {
    return undefined;
  }
}

/** Indented. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}

/** Deep equality of JSON values; the order of keys does not matter. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (isRawNumber(one) && isRawNumber(other)) return one.rawJSON === other.rawJSON;
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]))
  );
}
