/** Derives a form from a JSON Schema. Schemas without a matching field type use a JSON field. */
import { isObject, type JsonObject } from './json';
import { isSecret } from './parameters';

interface FieldBase {
  label: string;
  description: string;
  required: boolean;
  /** The schema's default or first example, used as the initial value. */
  suggestion: unknown;
}

export type FormField = FieldBase &
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

/** Deeper levels use a JSON field. */
const depthMax = 4;

/** Keywords with constraints that a plain field cannot express. */
const unsupportedKeywords = ['oneOf', 'anyOf', 'allOf', 'not', 'if', '$dynamicRef', 'patternProperties'] as const;

/** The form of a tool's arguments; of kind `json` if no form can represent the schema. */
export function formOf(schema: unknown): FormField {
  const root = isObject(schema) ? schema : {};
  return fieldOf(
    { type: 'object', ...root },
    { root, label: 'Arguments', required: true, depth: 0, seenReferences: [] },
  );
}

interface FieldContext {
  root: JsonObject;
  label: string;
  required: boolean;
  depth: number;
  /** References followed so far, because a schema may be recursive. */
  seenReferences: readonly string[];
}

function fieldOf(unresolved: unknown, context: FieldContext): FormField {
  const resolved = resolve(unresolved, context);
  const base: FieldBase = {
    label: context.label,
    description: descriptionOf(resolved?.schema),
    required: context.required,
    suggestion: suggestionOf(resolved?.schema),
  };
  if (!resolved) return { ...base, kind: 'json' };
  const { schema, seenReferences } = resolved;
  if ('const' in schema) return { ...base, kind: 'choice', options: [schema.const] };
  if (Array.isArray(schema.enum)) return { ...base, kind: 'choice', options: schema.enum };
  if (unsupportedKeywords.some((keyword) => keyword in schema)) return { ...base, kind: 'json' };
  const inner = { ...context, seenReferences, depth: context.depth + 1 };
  switch (typeOf(schema)) {
    case 'string':
      return { ...base, kind: 'text', secret: isSecret(schema) };
    case 'integer':
      return { ...base, kind: 'number', integer: true };
    case 'number':
      return { ...base, kind: 'number', integer: false };
    case 'boolean':
      return { ...base, kind: 'boolean' };
    case 'array':
      return listOf(schema, base, inner);
    case 'object':
      return groupOf(schema, base, inner);
    default:
      return { ...base, kind: 'json' };
  }
}

function listOf(schema: JsonObject, base: FieldBase, inner: FieldContext): FormField {
  // Tuples and untyped lists have no single item field.
  if ('prefixItems' in schema || !isObject(schema.items) || inner.depth > depthMax) return { ...base, kind: 'json' };
  return { ...base, kind: 'list', item: fieldOf(schema.items, { ...inner, label: 'Item', required: true }) };
}

function groupOf(schema: JsonObject, base: FieldBase, inner: FieldContext): FormField {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  // An object with arbitrary keys needs JSON.
  const hasArbitraryKeys = Object.keys(properties).length === 0 && inner.depth > 1;
  if (hasArbitraryKeys || inner.depth > depthMax) return { ...base, kind: 'json' };
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    field: fieldOf(property, { ...inner, label: name, required: required.includes(name) }),
  }));
  return { ...base, kind: 'group', fields };
}

/** Resolves references and nullable wrappers; undefined for dangling or circular references. */
function resolve(
  unresolved: unknown,
  context: FieldContext,
): { schema: JsonObject; seenReferences: readonly string[] } | undefined {
  let schema = unresolved;
  let seenReferences = context.seenReferences;
  while (isObject(schema)) {
    const reference = schema.$ref;
    const inner = unwrapNullable(schema);
    if (typeof reference === 'string') {
      if (seenReferences.includes(reference)) return undefined;
      seenReferences = [...seenReferences, reference];
      const target = resolvePointer(context.root, reference);
      const { $ref: _, ...siblings } = schema;
      schema = isObject(target) ? { ...target, ...siblings } : undefined;
    } else if (inner) schema = inner;
    else return { schema, seenReferences };
  }
  return undefined;
}

/** `anyOf: [X, null]`, which many generators emit for an optional X, is treated as X. */
function unwrapNullable(schema: JsonObject): JsonObject | undefined {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const choices = schema[keyword];
    if (!Array.isArray(choices) || choices.length !== 2) continue;
    const others = choices.filter((choice) => !(isObject(choice) && choice.type === 'null'));
    const [only] = others;
    if (others.length === 1 && isObject(only)) {
      const { [keyword]: _, ...siblings } = schema;
      return { ...only, ...siblings };
    }
  }
  return undefined;
}

function resolvePointer(root: JsonObject, reference: string): unknown {
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

/** The single type, ignoring null; undefined if there are several. */
function typeOf(schema: JsonObject): unknown {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return types.length === 1 ? types[0] : undefined;
  }
  return schema.type ?? (isObject(schema.properties) ? 'object' : undefined);
}

function descriptionOf(schema: JsonObject | undefined): string {
  return typeof schema?.description === 'string' ? schema.description : '';
}

function suggestionOf(schema: JsonObject | undefined): unknown {
  if (schema === undefined) return undefined;
  if ('default' in schema) return schema.default;
  return Array.isArray(schema.examples) ? schema.examples[0] : undefined;
}
