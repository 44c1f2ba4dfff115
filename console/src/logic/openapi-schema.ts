/** Schemas of an OpenAPI document, in words and flat lists of fields. */

export type Json = Record<string, unknown>;

export interface ApiField {
  name: string;
  /** `integer, 1 to 100`. */
  type: string;
  required: boolean;
  description: string;
  /** Of an object, or of the objects in a list. */
  fields: ApiField[];
  schema: Json;
}

/** Deeper than anybody reads. */
const deepest = 4;

export function asRecord(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The schema that a `$ref` names; others as they are. A reference that leads nowhere, or in a circle, is no schema. */
export function resolve(root: Json, schema: unknown, steps = 0): Json {
  const record = asRecord(schema);
  if (typeof record.$ref !== 'string') return record;
  if (!record.$ref.startsWith('#/') || steps > 8) return {};
  let target: unknown = root;
  for (const part of record.$ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    target = Object.hasOwn(asRecord(target), key) ? asRecord(target)[key] : undefined;
  }
  return resolve(root, target, steps + 1);
}

export function bodyFields(root: Json, requestBody: unknown): ApiField[] {
  const content = asRecord(resolve(root, requestBody).content);
  return schemaFields(root, resolve(root, asRecord(content['application/json']).schema));
}

/** The fields of an object, or of the objects that a list holds. */
export function schemaFields(root: Json, schema: Json, depth = 0): ApiField[] {
  if (depth >= deepest) return [];
  const holder = 'items' in schema ? resolve(root, schema.items) : schema;
  const required = asList(holder.required);
  return Object.entries(asRecord(holder.properties)).map(([name, property]) => {
    const own = resolve(root, property);
    return {
      name,
      type: typeWords(root, own),
      required: required.includes(name),
      description: asText(own.description),
      fields: schemaFields(root, own, depth + 1),
      schema: own,
    };
  });
}

/** `integer, 1 to 100`, `list of string`, `one of active, paused`, `string or null`. */
export function typeWords(root: Json, schema: Json): string {
  const choices = asList(schema.enum).filter((value) => value !== '');
  const kinds = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(asText).filter(Boolean);
  const words = kinds.map((kind) => (kind === 'array' ? listWords(root, schema) : kind)).join(' or ');
  const base = choices.length > 0 ? `one of ${choices.map(String).join(', ')}` : words || 'anything';
  return [base, boundWords(schema), defaultWords(schema)].filter(Boolean).join(', ');
}

function listWords(root: Json, schema: Json): string {
  const items = resolve(root, schema.items);
  return Object.keys(items).length === 0 ? 'list' : `list of ${typeWords(root, items)}`;
}

function boundWords({ minimum, maximum, maxLength, maxItems, format }: Json): string {
  if (typeof minimum === 'number' && typeof maximum === 'number') return `${minimum} to ${maximum}`;
  if (typeof maximum === 'number') return `at most ${maximum}`;
  // From 0 on is what one expects of a number that counts.
  if (typeof minimum === 'number' && minimum !== 0) return `from ${minimum} on`;
  if (typeof maxItems === 'number') return `at most ${maxItems} of them`;
  if (format === 'date') return 'a day';
  if (typeof maxLength === 'number') return `up to ${maxLength} characters`;
  return '';
}

function defaultWords(schema: Json): string {
  return schema.default === undefined || schema.default === '' ? '' : `default ${JSON.stringify(schema.default)}`;
}
