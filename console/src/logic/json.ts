/** Parsing, formatting and comparison of untrusted JSON. */
import { isRawNumber, parseExact } from './exact-json';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/**
 * Parses JSON without loss of digits; undefined if it is invalid. The result is wrapped so that a parsed `null` is not
 * mistaken for a failure.
 */
export function parseJson(text: string): { json: unknown } | undefined {
  try {
    return { json: parseExact(text) };
  } catch {
    return undefined;
  }
}

/** Formats a value as indented JSON. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}

/** Deep equality of JSON values; the order of keys does not matter. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index]));
  }
  if (isRawNumber(one) && isRawNumber(other)) return one.rawJSON === other.rawJSON;
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  );
}
