/**
 * Reads the parameter table from `input_schema` and `parameter_mapping`. The table is not a second model: each edit
 * (parameter-edits.ts) changes one entry of these two, so that keywords the table does not support stay unchanged.
 */
import { isObject, type JsonObject } from './json';
import { constantText, defaultText, enumText } from './parameter-text';

export interface ParameterDefinition {
  input_schema: JsonObject;
  parameter_mapping: JsonObject;
}

export const plainTypes = ['string', 'integer', 'number', 'boolean', 'object'] as const;
export const listTypes = ['string[]', 'integer[]', 'number[]', 'boolean[]', 'object[]'] as const;

/** `any` has no type; `array` is a list without an item type. */
export const tableTypes = [...plainTypes, ...listTypes, 'array', 'any'] as const;
export type TableType = (typeof tableTypes)[number];

export const locations = ['path', 'query', 'body', 'header', 'cookie'] as const;
export type ParameterLocation = (typeof locations)[number];

export interface Parameter {
  name: string;
  /** Undefined if the table does not support the schema's type. */
  type: TableType | undefined;
  /** The type as text. */
  typeText: string;
  required: boolean;
  description: string;
  /** The text of the cell; empty without a default. */
  default: string;
  /** The text of the cell; empty without an enumeration. */
  enum: string;
  /** Undefined if the mapping has no entry for the argument. */
  location: ParameterLocation | undefined;
  upstreamName: string;
  /** The object in the body that contains the value; empty for the body itself. */
  parent: string;
  /** How the value is written, for example `form, exploded`; empty without a style. */
  style: string;
  /** The value is a file; see `file` in docs/rest-api.md. */
  file: boolean;
  secret: boolean;
  /** Keywords of the parameter's schema that the table does not show. */
  hiddenKeywords: string[];
  /** The parameter's schema is `false` or invalid, so the table cannot change it. */
  locked: boolean;
}

/** A value that is sent with every call: a rule of the mapping with a value. */
export interface FixedValue {
  /** The key of the rule. */
  key: string;
  location: ParameterLocation | undefined;
  upstreamName: string;
  parent: string;
  style: string;
  /** The text of the cell. */
  value: string;
}

export interface ParameterTable {
  rows: Parameter[];
  fixedValues: FixedValue[];
  /** Top-level keywords that the table does not show. */
  hiddenKeywords: string[];
  /** Names in the mapping without a property. */
  unusedMappings: string[];
  /** Why the table cannot show the schema. */
  unreadable: string | undefined;
}

/** Keywords that the table shows. */
const shownAtRoot = ['type', 'properties', 'required'];
const shownInRow = ['type', 'description', 'default', 'enum'];

export function readParameters(definition: ParameterDefinition): ParameterTable {
  const { input_schema: schema, parameter_mapping: mapping } = definition;
  const hiddenKeywords = Object.keys(schema).filter((keyword) => !shownAtRoot.includes(keyword));
  const unreadable = unreadableReason(schema);
  const properties = propertiesOf(schema);
  const rows = unreadable
    ? []
    : Object.entries(properties).map(([name, value]) => readRow(name, value, schema, mapping));
  const withoutProperty = Object.entries(mapping).filter(([name]) => !Object.hasOwn(properties, name));
  const fixedValues = withoutProperty.flatMap(([key, rule]) => (isFixed(rule) ? [readFixedValue(key, rule)] : []));
  const unusedMappings = withoutProperty.filter(([, rule]) => !isFixed(rule)).map(([name]) => name);
  return { rows, fixedValues, hiddenKeywords, unusedMappings, unreadable };
}

/** Whether a rule of the mapping is a constant. */
export function isFixed(rule: unknown): rule is JsonObject {
  return isObject(rule) && Object.hasOwn(rule, 'value');
}

function readFixedValue(key: string, rule: JsonObject): FixedValue {
  return { key, ...readRule(rule), value: constantText(rule.value) };
}

/** Where a rule of the mapping sends its value. */
function readRule(rule: unknown): Pick<Parameter, 'location' | 'upstreamName' | 'parent' | 'style'> {
  const text = (key: string) => (isObject(rule) && typeof rule[key] === 'string' ? rule[key] : '');
  return { location: readLocation(rule), upstreamName: text('name'), parent: text('parent'), style: styleText(rule) };
}

/** How a rule of the mapping writes its value. */
function styleText(rule: unknown): string {
  if (!isObject(rule)) return '';
  const parts = [
    rule.whole === true ? 'whole body' : '',
    rule.file === true ? 'file' : '',
    typeof rule.content_type === 'string' ? rule.content_type : '',
    typeof rule.style === 'string' ? rule.style : '',
    rule.explode === true ? 'exploded' : '',
    rule.explode === false ? 'not exploded' : '',
    rule.allow_reserved === true ? 'reserved characters allowed' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Whether a rule of the mapping can send its value as a file: in a multipart body, or as the whole body. */
export function mayBeFile({ location, style }: Parameter, bodyType: string, defaultTarget: ParameterLocation): boolean {
  return (location ?? defaultTarget) === 'body' && (bodyType === 'multipart' || style.startsWith('whole body'));
}

export function propertiesOf(schema: JsonObject): JsonObject {
  return isObject(schema.properties) ? schema.properties : {};
}

/** A property's schema as an object; `true` is equivalent to `{}`. */
export function schemaOf(property: unknown): JsonObject | undefined {
  if (property === true) return {};
  return isObject(property) ? property : undefined;
}

/** Keywords that define the type without `type`. */
const typeAlternatives = ['$ref', '$dynamicRef', 'oneOf', 'anyOf', 'allOf', 'not', 'const'];

export function tableTypeOf(schema: JsonObject): TableType | undefined {
  if (schema.type === undefined) return typeAlternatives.some((keyword) => keyword in schema) ? undefined : 'any';
  if (schema.type !== 'array') return plainTypes.find((type) => type === schema.type);
  if (!('items' in schema)) return 'array';
  const item = isObject(schema.items) ? schema.items.type : undefined;
  return listTypes.find((type) => type === `${String(item)}[]`);
}

/** Whether values are secret, by the rule of the service, which masks secret values whenever it stores them. */
export function isSecret(schema: JsonObject): boolean {
  return schema.writeOnly === true || schema.format === 'password' || schema['x-secret'] === true;
}

/** The location of an argument without a mapping; `isInUrl`: the URL has a placeholder of its name. */
export function defaultLocation(method: string, isInUrl: boolean): ParameterLocation {
  if (isInUrl) return 'path';
  return ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method) ? 'query' : 'body';
}

function unreadableReason(schema: JsonObject): string | undefined {
  if ('properties' in schema && !isObject(schema.properties)) return '"properties" is not an object.';
  if ('required' in schema && !Array.isArray(schema.required)) return '"required" is not a list.';
  return undefined;
}

function readRow(name: string, property: unknown, root: JsonObject, mapping: JsonObject): Parameter {
  const schema = schemaOf(property);
  const keywords = schema ?? {};
  const entry = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
  return {
    name,
    type: schema && tableTypeOf(schema),
    typeText: schema ? typeText(schema) : JSON.stringify(property),
    required: Array.isArray(root.required) && root.required.includes(name),
    description: typeof keywords.description === 'string' ? keywords.description : '',
    default: defaultText(keywords),
    enum: enumText(keywords),
    ...readRule(entry),
    file: isObject(entry) && entry.file === true,
    secret: isSecret(keywords),
    hiddenKeywords: findHiddenKeywords(keywords),
    locked: schema === undefined,
  };
}

function typeText(schema: JsonObject): string {
  const type = tableTypeOf(schema);
  if (type) return type;
  if (typeof schema.$ref === 'string') return schema.$ref.replace(/^.*\//, '');
  if (schema.type === 'array') return 'list of …';
  if (schema.type === undefined) return 'see JSON';
  return Array.isArray(schema.type) ? schema.type.join(' or ') : JSON.stringify(schema.type);
}

/** Accepts `headers` for `header`, as the API does. */
function readLocation(entry: unknown): ParameterLocation | undefined {
  if (!isObject(entry)) return undefined;
  return locations.find((location) => location === entry.location || `${location}s` === entry.location);
}

function findHiddenKeywords(schema: JsonObject): string[] {
  const secretKeywords = ['writeOnly', 'x-secret', ...(schema.format === 'password' ? ['format'] : [])];
  const hasPlainItems = isObject(schema.items) && Object.keys(schema.items).every((keyword) => keyword === 'type');
  const shown = [...shownInRow, ...secretKeywords, ...(hasPlainItems && tableTypeOf(schema) ? ['items'] : [])];
  return Object.keys(schema).filter((keyword) => !shown.includes(keyword));
}
