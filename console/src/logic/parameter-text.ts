/** Defaults and enumerations as somebody types them into a cell, and as they stand in a schema. */
import { isObject, parseJson } from './json';

/** What a cell stands for; a fault where its text cannot be read. */
export type Reading = { value: unknown } | { fault: string };

/** Plain text for a string, JSON for everything else; nothing where there is no default. */
export function defaultText(schema: Record<string, unknown>): string {
  if (!Object.hasOwn(schema, 'default')) return '';
  const value = schema.default;
  return schema.type === 'string' && typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** The default that a text means for a type; `{ value: undefined }` takes it away. */
export function readDefault(text: string, type: unknown): Reading {
  if (text === '') return { value: undefined };
  // An empty text is a default, too, and has no other way to be told from none.
  if (type === 'string') return { value: text === '""' ? '' : text };
  const parsed = parseJson(text);
  if (parsed && fits(parsed.json, type)) return { value: parsed.json };
  // Of several types one is mostly a text.
  if (typeof type !== 'string') return { value: text };
  return { fault: `This is not ${withArticle(type)}.` };
}

/** `a, b, c`, or a JSON list where that would not say it exactly. */
export function enumText(schema: Record<string, unknown>): string {
  if (!Object.hasOwn(schema, 'enum')) return '';
  const values = schema.enum;
  if (!Array.isArray(values)) return JSON.stringify(values);
  const text = values.map(String).join(', ');
  const reading = readEnum(text, schema.type);
  const exact = 'value' in reading && JSON.stringify(reading.value) === JSON.stringify(values);
  return exact ? text : JSON.stringify(values);
}

export function readEnum(text: string, type: unknown): Reading {
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined };
  if (trimmed.startsWith('[')) {
    const parsed = parseJson(trimmed);
    return parsed && Array.isArray(parsed.json) && parsed.json.length > 0
      ? { value: parsed.json }
      : { fault: 'This is not a JSON list.' };
  }
  const words = trimmed.split(',').map((word) => word.trim());
  const readings = words.filter((word) => word !== '').map((word) => readDefault(word, type ?? 'string'));
  const values: unknown[] = [];
  for (const reading of readings) {
    if ('fault' in reading) return reading;
    values.push(reading.value);
  }
  return values.length > 0 ? { value: values } : { value: undefined };
}

function fits(value: unknown, type: unknown): boolean {
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
