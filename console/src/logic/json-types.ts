/** Types of JSON Schema, and values that are turned from one into another. */

export const jsonTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

export function isJsonType(value: unknown): value is JsonType {
  return jsonTypes.some((type) => type === value);
}

/** A value as text where it stands in an address or a header: a list with commas, an object as JSON. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    return value.filter((item) => item !== null).join(',');
  }
  return JSON.stringify(value);
}

/** The texts of a value where a name may be repeated. */
export function valueTexts(value: unknown): string[] {
  if (!Array.isArray(value)) return value === null ? [] : [valueText(value)];
  return value
    .filter((item) => item !== null)
    .map((item) => (Array.isArray(item) ? JSON.stringify(item) : valueText(item)));
}

/** The value as one of the type; undefined where that makes no sense. */
export function toType(value: unknown, type: JsonType): unknown {
  if (fits(value, type)) return value;
  const text = valueText(value);
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return text.trim() !== '' && fits(Number(text), type) ? Number(text) : undefined;
    case 'boolean':
      return { true: true, false: false, '1': true, '0': false }[text];
    case 'array':
      return value === null || value === undefined ? [] : [value];
    case 'object':
      return undefined;
  }
}

function fits(value: unknown, type: JsonType): boolean {
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
