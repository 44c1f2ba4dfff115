/** JSON of others: looked at before it is believed. */
import { isRawNumber, parseExact } from './exact-json';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** With all digits of its numbers; the value in braces, so that a text `null` is told from no JSON at all. */
export function parseJson(text: string): { json: unknown } | undefined {
  try {
    return { json: parseExact(text) };
  } catch {
    return undefined;
  }
}

/** As people read it. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}

/** Whether two values of JSON say the same; the order of keys does not matter. */
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
