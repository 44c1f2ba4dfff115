/**
 * The table of a tool's parameters: what it shows of `input_schema` and `parameter_mapping`. Nothing is translated forth and
 * back: the table reads from the two and each edit (parameter-edits.ts) touches one place in them, so that whatever the
 * table does not understand stays as it is, where it is.
 */
import { isObject, type JsonObject } from './json';
import { defaultText, enumText } from './parameter-text';

export interface Definition {
  schema: JsonObject;
  mapping: JsonObject;
}

export const plainTypes = ['string', 'integer', 'number', 'boolean', 'object'] as const;
export const listTypes = ['string[]', 'integer[]', 'number[]', 'boolean[]', 'object[]'] as const;

/** `any` has no type; `array` is a list of whatever. */
export const tableTypes = [...plainTypes, ...listTypes, 'array', 'any'] as const;
export type TableType = (typeof tableTypes)[number];

export const locations = ['path', 'query', 'body', 'header'] as const;
export type Location = (typeof locations)[number];

export interface Parameter {
  name: string;
  /** Undefined where the schema has a type that the table has no word for. */
  type: TableType | undefined;
  /** That type, in words. */
  typeText: string;
  required: boolean;
  description: string;
  default: string;
  enum: string;
  /** Undefined where the mapping does not name the argument. */
  location: Location | undefined;
  upstreamName: string;
  secret: boolean;
  /** Keywords of its schema that the table does not show. */
  more: string[];
  /** Its schema is `false` or no schema at all: the table cannot change it. */
  locked: boolean;
}

export interface ParameterTable {
  rows: Parameter[];
  /** Keywords of the schema as a whole that the table does not show. */
  more: string[];
  /** Names in the mapping that are no property. */
  strayMappings: string[];
  /** Why the table cannot show the schema at all. */
  unreadable: string | undefined;
}

const shownAtRoot = ['type', 'properties', 'required'];
const shownInRow = ['type', 'description', 'default', 'enum'];

export function readParameters({ schema, mapping }: Definition): ParameterTable {
  const more = Object.keys(schema).filter((word) => !shownAtRoot.includes(word));
  const unreadable = whyUnreadable(schema);
  const properties = propertiesOf(schema);
  const rows = unreadable
    ? []
    : Object.entries(properties).map(([name, value]) => readRow(name, value, schema, mapping));
  const strayMappings = Object.keys(mapping).filter((name) => !Object.hasOwn(properties, name));
  return { rows, more, strayMappings, unreadable };
}

export function propertiesOf(schema: JsonObject): JsonObject {
  return isObject(schema.properties) ? schema.properties : {};
}

/** A property's schema as an object: `true` allows everything, as an empty one does. */
export function schemaOf(property: unknown): JsonObject | undefined {
  if (property === true) return {};
  return isObject(property) ? property : undefined;
}

/** Words that say the type in place of `type`. */
const elsewhere = ['$ref', '$dynamicRef', 'oneOf', 'anyOf', 'allOf', 'not', 'const'];

export function typeIn(schema: JsonObject): TableType | undefined {
  if (schema.type === undefined) return elsewhere.some((word) => word in schema) ? undefined : 'any';
  if (schema.type !== 'array') return plainTypes.find((type) => type === schema.type);
  if (!('items' in schema)) return 'array';
  const item = isObject(schema.items) ? schema.items.type : undefined;
  return listTypes.find((type) => type === `${String(item)}[]`);
}

/** As the service has it: such values are masked wherever they are kept. */
export function isSecret(schema: JsonObject): boolean {
  return schema.writeOnly === true || schema.format === 'password' || schema['x-secret'] === true;
}

/** Where an argument goes that the mapping does not name; `inUrl`: the address has a placeholder of its name. */
export function usualLocation(method: string, inUrl: boolean): Location {
  if (inUrl) return 'path';
  return ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method) ? 'query' : 'body';
}

function whyUnreadable(schema: JsonObject): string | undefined {
  if ('properties' in schema && !isObject(schema.properties)) return 'Its "properties" are not an object.';
  if ('required' in schema && !Array.isArray(schema.required)) return 'Its "required" is not a list.';
  return undefined;
}

function readRow(name: string, property: unknown, root: JsonObject, mapping: JsonObject): Parameter {
  const schema = schemaOf(property);
  const known = schema ?? {};
  const entry = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
  return {
    name,
    type: schema && typeIn(schema),
    typeText: schema ? typeText(schema) : JSON.stringify(property),
    required: Array.isArray(root.required) && root.required.includes(name),
    description: typeof known.description === 'string' ? known.description : '',
    default: defaultText(known),
    enum: enumText(known),
    location: readLocation(entry),
    upstreamName: isObject(entry) && typeof entry.name === 'string' ? entry.name : '',
    secret: isSecret(known),
    more: hiddenWords(known),
    locked: schema === undefined,
  };
}

function typeText(schema: JsonObject): string {
  const type = typeIn(schema);
  if (type) return type;
  if (typeof schema.$ref === 'string') return schema.$ref.replace(/^.*\//, '');
  if (schema.type === 'array') return 'list of …';
  if (schema.type === undefined) return 'see the JSON';
  return Array.isArray(schema.type) ? schema.type.join(' or ') : JSON.stringify(schema.type);
}

/** The API also takes `headers`. */
function readLocation(entry: unknown): Location | undefined {
  if (!isObject(entry)) return undefined;
  return locations.find((location) => location === entry.location || `${location}s` === entry.location);
}

function hiddenWords(schema: JsonObject): string[] {
  const secretWords = ['writeOnly', 'x-secret', ...(schema.format === 'password' ? ['format'] : [])];
  const plainItems = isObject(schema.items) && Object.keys(schema.items).every((word) => word === 'type');
  const shown = [...shownInRow, ...secretWords, ...(plainItems && typeIn(schema) ? ['items'] : [])];
  return Object.keys(schema).filter((word) => !shown.includes(word));
}
