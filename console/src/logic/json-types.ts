/** JSON Schema types, and conversions between them. */
import { isRawNumber } from './exact-json';

export const jsonTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

export function isJsonType(value: unknown): value is JsonType {
  return jsonTypes.some((type) => type === value);
}

/** The type of a value; undefined for null. */
export function jsonTypeOf(value: unknown): JsonType | undefined {
  if (isRawNumber(value)) return /^-?\d+$/.test(value.rawJSON) ? 'integer' : 'number';
  return jsonTypes.find((type) => isOfType(value, type));
}

/**
 * The text of a value in a URL or header: lists of plain values are joined with commas; objects and other lists become
 * JSON.
 */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    return value.filter((item) => item !== null).join(',');
  }
  return JSON.stringify(value);
}

/** The texts of a value for a repeatable parameter: one for each item of a list. */
export function valueTexts(value: unknown): string[] {
  if (!Array.isArray(value)) return value === null ? [] : [valueText(value)];
  return value
    .filter((item) => item !== null)
    .map((item) => (Array.isArray(item) ? JSON.stringify(item) : valueText(item)));
}

/** Converts a value to the type; undefined if it cannot be converted. */
export function toType(value: unknown, type: JsonType): unknown {
  if (isOfType(value, type)) return value;
  const text = valueText(value);
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return text.trim() !== '' && isOfType(Number(text), type) ? Number(text) : undefined;
    case 'boolean':
      return { true: true, false: false, '1': true, '0': false }[text];
    case 'array':
      return value === null || value === undefined ? [] : [value];
    case 'object':
      return undefined;
  }
}

function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}
