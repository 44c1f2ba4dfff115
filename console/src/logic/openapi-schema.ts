/** Describes the schemas of an OpenAPI document as text and flat field lists. */

export type Json = Record<string, unknown>;

export interface ApiField {
  name: string;
  /** `integer, 1 to 100`. */
  type: string;
  required: boolean;
  description: string;
  /** Of an object, or of the items of a list of objects. */
  fields: ApiField[];
  schema: Json;
}

/** A longer chain of references is treated as circular. */
const referencesMax = 8;
/** Deeper fields are not listed. */
const depthMax = 4;

export function asRecord(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Resolves a `$ref`; other schemas are returned unchanged. Dangling and circular references give an empty schema. */
export function resolve(root: Json, schema: unknown, steps = 0): Json {
  const record = asRecord(schema);
  if (typeof record.$ref !== 'string') return record;
  if (!record.$ref.startsWith('#/') || steps > referencesMax) return {};
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

/** The fields of an object, or of the items of a list of objects. */
export function schemaFields(root: Json, schema: Json, depth = 0): ApiField[] {
  if (depth >= depthMax) return [];
  const objectSchema = 'items' in schema ? resolve(root, schema.items) : schema;
  const required = asList(objectSchema.required);
  return Object.entries(asRecord(objectSchema.properties)).map(([name, property]) => {
    const propertySchema = resolve(root, property);
    return {
      name,
      type: describeType(root, propertySchema),
      required: required.includes(name),
      description: asText(propertySchema.description),
      fields: schemaFields(root, propertySchema, depth + 1),
      schema: propertySchema,
    };
  });
}

/** `integer, 1 to 100`, `list of string`, `one of active, paused`, `string or null`. */
export function describeType(root: Json, schema: Json): string {
  const choices = asList(schema.enum).filter((value) => value !== '');
  const kinds = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(asText).filter(Boolean);
  const words = kinds.map((kind) => (kind === 'array' ? describeList(root, schema) : kind)).join(' or ');
  const base = choices.length > 0 ? `one of ${choices.map(String).join(', ')}` : words || 'anything';
  return [base, describeBounds(schema), describeDefault(schema)].filter(Boolean).join(', ');
}

function describeList(root: Json, schema: Json): string {
  const items = resolve(root, schema.items);
  return Object.keys(items).length === 0 ? 'list' : `list of ${describeType(root, items)}`;
}

function describeBounds({ minimum, maximum, maxLength, maxItems, format }: Json): string {
  if (typeof minimum === 'number' && typeof maximum === 'number') return `${minimum} to ${maximum}`;
  if (typeof maximum === 'number') return `at most ${maximum}`;
  // A minimum of 0 is expected of a count, so it is not mentioned.
  if (typeof minimum === 'number' && minimum !== 0) return `at least ${minimum}`;
  if (typeof maxItems === 'number') return `at most ${maxItems} items`;
  if (format === 'date') return 'date';
  if (typeof maxLength === 'number') return `up to ${maxLength} characters`;
  return '';
}

function describeDefault(schema: Json): string {
  return schema.default === undefined || schema.default === '' ? '' : `default ${JSON.stringify(schema.default)}`;
}
