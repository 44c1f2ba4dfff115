/** Generates arguments for a first call of a tool: all that its schema requires. */
import { isObject, type JsonObject } from './json';

/** Nesting levels; deeper values are left out. */
const depthMax = 6;

export function exampleArguments(schema: unknown): JsonObject {
  const root = isObject(schema) ? schema : {};
  const example = exampleOf({ type: 'object', ...root }, root, 0);
  return isObject(example) ? example : {};
}

function exampleOf(unresolved: unknown, root: JsonObject, depth: number): unknown {
  const schema = resolve(unresolved, root);
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if ('default' in schema) return schema.default;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => value !== null) ?? null;
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const [first] = Array.isArray(schema[keyword]) ? schema[keyword] : [];
    if (first !== undefined && depth < depthMax) return exampleOf(first, root, depth + 1);
  }
  switch (typeOf(schema)) {
    case 'object':
      return objectExample(schema, root, depth);
    case 'array':
      return listExample(schema, root, depth);
    case 'integer':
    case 'number':
      return numberExample(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return textExample(schema);
  }
}

function objectExample(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  if (depth >= depthMax) return {};
  return Object.fromEntries(
    required
      .filter((name) => Object.hasOwn(properties, name))
      .map((name) => [name, exampleOf(properties[name], root, depth + 1)]),
  );
}

function listExample(schema: JsonObject, root: JsonObject, depth: number): unknown[] {
  const least = typeof schema.minItems === 'number' ? schema.minItems : 0;
  const isSmall = least > 0 && least <= 10 && depth < depthMax;
  return isSmall ? Array.from({ length: least }, () => exampleOf(schema.items, root, depth + 1)) : [];
}

function numberExample({ minimum, exclusiveMinimum, maximum, multipleOf }: JsonObject): number {
  const least = typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1;
  const value = typeof multipleOf === 'number' && multipleOf > 0 ? Math.ceil(least / multipleOf) * multipleOf : least;
  return typeof maximum === 'number' ? Math.min(value, maximum) : value;
}

const formats: Record<string, string> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'name@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

function textExample({ format, minLength, maxLength }: JsonObject): string {
  const text = typeof format === 'string' ? (formats[format] ?? 'example') : 'example';
  const long = typeof minLength === 'number' && minLength <= 1_000 ? text.padEnd(minLength, 'x') : text;
  return typeof maxLength === 'number' ? long.slice(0, maxLength) : long;
}

/** The single type, ignoring null. */
function typeOf(schema: JsonObject): unknown {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  return type ?? (isObject(schema.properties) ? 'object' : undefined);
}

/** Follows references to `$defs`; a schema that only refers to itself is empty. */
function resolve(unresolved: unknown, root: JsonObject): JsonObject {
  let schema = unresolved;
  for (let steps = 0; isObject(schema) && typeof schema.$ref === 'string' && steps < 16; steps += 1) {
    const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref)?.[1];
    const definitions = isObject(root.$defs) ? root.$defs : {};
    schema = name === undefined ? {} : definitions[name.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return isObject(schema) ? schema : {};
}
