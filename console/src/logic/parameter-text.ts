/** Converts defaults and enumerations between schema values and cell text. */
import { isObject, parseJson } from './json';

/** The value of a cell, or why its text cannot be parsed. */
export type ParseResult = { value: unknown } | { error: string };

/** Plain text for a string, JSON for everything else; empty without a default. */
export function defaultText(schema: Record<string, unknown>): string {
  if (!Object.hasOwn(schema, 'default')) return '';
  const value = schema.default;
  return schema.type === 'string' && typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** Parses a default of the type; `{ value: undefined }` removes it. */
export function parseDefault(text: string, type: unknown): ParseResult {
  if (text === '') return { value: undefined };
  // `""` is the empty string; an empty cell means no default.
  if (type === 'string') return { value: text === '""' ? '' : text };
  const parsed = parseJson(text);
  if (parsed && isOfType(parsed.json, type)) return { value: parsed.json };
  // One of several types is usually string, so the text is accepted as the value.
  if (typeof type !== 'string') return { value: text };
  return { error: `This is not ${withArticle(type)}.` };
}

/** Plain text for a string that is not JSON itself, JSON for everything else. */
export function constantText(value: unknown): string {
  return typeof value === 'string' && value !== '' && !parseJson(value) ? value : JSON.stringify(value);
}

/** Any text is a constant: its JSON value, or itself. */
export function parseConstant(text: string): unknown {
  const parsed = parseJson(text);
  return parsed ? parsed.json : text;
}

/** `a, b, c`, or a JSON list if that form would be ambiguous. */
export function enumText(schema: Record<string, unknown>): string {
  if (!Object.hasOwn(schema, 'enum')) return '';
  const values = schema.enum;
  if (!Array.isArray(values)) return JSON.stringify(values);
  const text = values.map(String).join(', ');
  const result = parseEnum(text, schema.type);
  const isReversible = 'value' in result && JSON.stringify(result.value) === JSON.stringify(values);
  return isReversible ? text : JSON.stringify(values);
}

export function parseEnum(text: string, type: unknown): ParseResult {
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined };
  if (trimmed.startsWith('[')) {
    const parsed = parseJson(trimmed);
    return parsed && Array.isArray(parsed.json) && parsed.json.length > 0
      ? { value: parsed.json }
      : { error: 'This is not a JSON list.' };
  }
  const words = trimmed.split(',').map((word) => word.trim());
  const results = words.filter((word) => word !== '').map((word) => parseDefault(word, type ?? 'string'));
  const values: unknown[] = [];
  for (const result of results) {
    if ('error' in result) return result;
    values.push(result.value);
  }
  return values.length > 0 ? { value: values } : { value: undefined };
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return true;
  }
}

function withArticle(type: string): string {
  return type === 'boolean' ? 'true or false' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}
