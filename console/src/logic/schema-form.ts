/** The form that a JSON Schema asks for. What no field can stand for is asked for as JSON. */
import { isObject, type JsonObject } from './json';
import { isSecret } from './parameters';

interface Common {
  label: string;
  description: string;
  required: boolean;
  /** What is filled in at first, as the schema suggests it: its default, or its first example. */
  suggestion: unknown;
}

export type FormField = Common &
  (
    | { kind: 'text'; secret: boolean }
    | { kind: 'number'; integer: boolean }
    | { kind: 'boolean' }
    | { kind: 'choice'; options: readonly unknown[] }
    | { kind: 'list'; item: FormField }
    | { kind: 'group'; fields: readonly NamedField[] }
    | { kind: 'json' }
  );

export interface NamedField {
  name: string;
  field: FormField;
}

export type GroupField = Extract<FormField, { kind: 'group' }>;

/** Deeper than this nobody wants to click: the rest is JSON. */
const deepest = 4;

/** Words that change what a value may be in ways that a plain field does not show. */
const alternatives = ['oneOf', 'anyOf', 'allOf', 'not', 'if', '$dynamicRef', 'patternProperties'] as const;

/** The arguments of a tool as a form; `json` where the schema as a whole is beyond one. */
export function formOf(schema: unknown): FormField {
  const root = isObject(schema) ? schema : {};
  return fieldOf({ type: 'object', ...root }, { root, label: 'Arguments', required: true, depth: 0, seen: [] });
}

interface Place {
  root: JsonObject;
  label: string;
  required: boolean;
  depth: number;
  /** References on the way here: a schema may hold itself. */
  seen: readonly string[];
}

function fieldOf(given: unknown, place: Place): FormField {
  const found = resolve(given, place);
  const common: Common = {
    label: place.label,
    description: describe(found?.schema),
    required: place.required,
    suggestion: suggest(found?.schema),
  };
  if (!found) return { ...common, kind: 'json' };
  const { schema, seen } = found;
  if ('const' in schema) return { ...common, kind: 'choice', options: [schema.const] };
  if (Array.isArray(schema.enum)) return { ...common, kind: 'choice', options: schema.enum };
  if (alternatives.some((word) => word in schema)) return { ...common, kind: 'json' };
  const inner = { ...place, seen, depth: place.depth + 1 };
  switch (typeOf(schema)) {
    case 'string':
      return { ...common, kind: 'text', secret: isSecret(schema) };
    case 'integer':
      return { ...common, kind: 'number', integer: true };
    case 'number':
      return { ...common, kind: 'number', integer: false };
    case 'boolean':
      return { ...common, kind: 'boolean' };
    case 'array':
      return listOf(schema, common, inner);
    case 'object':
      return groupOf(schema, common, inner);
    default:
      return { ...common, kind: 'json' };
  }
}

function listOf(schema: JsonObject, common: Common, inner: Place): FormField {
  // Tuples, and lists of anything, have no one field for their items.
  if ('prefixItems' in schema || !isObject(schema.items) || inner.depth > deepest) return { ...common, kind: 'json' };
  return { ...common, kind: 'list', item: fieldOf(schema.items, { ...inner, label: 'Item', required: true }) };
}

function groupOf(schema: JsonObject, common: Common, inner: Place): FormField {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  // An object whose keys are free: only JSON can name them.
  const open = Object.keys(properties).length === 0 && inner.depth > 1;
  if (open || inner.depth > deepest) return { ...common, kind: 'json' };
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    field: fieldOf(property, { ...inner, label: name, required: required.includes(name) }),
  }));
  return { ...common, kind: 'group', fields };
}

/** The schema itself, after references and "this or null"; undefined where they lead nowhere or in a circle. */
function resolve(given: unknown, place: Place): { schema: JsonObject; seen: readonly string[] } | undefined {
  let schema = given;
  let seen = place.seen;
  while (isObject(schema)) {
    const reference = schema.$ref;
    const inner = orNull(schema);
    if (typeof reference === 'string') {
      if (seen.includes(reference)) return undefined;
      seen = [...seen, reference];
      const target = lookUp(place.root, reference);
      const { $ref: _, ...beside } = schema;
      schema = isObject(target) ? { ...target, ...beside } : undefined;
    } else if (inner) schema = inner;
    else return { schema, seen };
  }
  return undefined;
}

/** `anyOf: [X, null]`, as many generators spell "X, or nothing": for a form, that is an X that may be left out. */
function orNull(schema: JsonObject): JsonObject | undefined {
  for (const word of ['anyOf', 'oneOf'] as const) {
    const choices = schema[word];
    if (!Array.isArray(choices) || choices.length !== 2) continue;
    const others = choices.filter((choice) => !(isObject(choice) && choice.type === 'null'));
    const [only] = others;
    if (others.length === 1 && isObject(only)) {
      const { [word]: _, ...beside } = schema;
      return { ...only, ...beside };
    }
  }
  return undefined;
}

function lookUp(root: JsonObject, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let target: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = pointerName(part);
    if (Array.isArray(target)) target = target[Number(name)];
    else target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return target;
}

function pointerName(part: string): string {
  const text = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** One type; "this or null" counts as this; several as none. */
function typeOf(schema: JsonObject): unknown {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return types.length === 1 ? types[0] : undefined;
  }
  return schema.type ?? (isObject(schema.properties) ? 'object' : undefined);
}

function describe(schema: JsonObject | undefined): string {
  return typeof schema?.description === 'string' ? schema.description : '';
}

function suggest(schema: JsonObject | undefined): unknown {
  if (schema === undefined) return undefined;
  if ('default' in schema) return schema.default;
  return Array.isArray(schema.examples) ? schema.examples[0] : undefined;
}
