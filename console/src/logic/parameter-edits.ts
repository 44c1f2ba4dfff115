/** Edits of the parameter table. Each changes one part of `input_schema` or `parameter_mapping`, and nothing else. */
import { isObject, type JsonObject } from './json';
import { withKey, withMovedKey, withoutKey, withRenamedKey } from './ordered-object';
import { type ParseResult, parseConstant, parseDefault, parseEnum } from './parameter-text';
import {
  isFixed,
  type ParameterDefinition,
  type ParameterLocation,
  propertiesOf,
  schemaOf,
  type TableType,
  tableTypeOf,
} from './parameters';

/** Appends a parameter and returns its name, which is made unique. */
export function addParameter(
  definition: ParameterDefinition,
  preferredName = 'argument',
): { definition: ParameterDefinition; name: string } {
  const { input_schema: schema, parameter_mapping: mapping } = definition;
  const properties = propertiesOf(schema);
  const isTaken = (name: string) =>
    Object.hasOwn(properties, name) || (Object.hasOwn(mapping, name) && isFixed(mapping[name]));
  const name = freeName(preferredName, isTaken);
  const typed = 'type' in schema ? definition : { ...definition, input_schema: { type: 'object', ...schema } };
  return { definition: withProperties(typed, { ...properties, [name]: { type: 'string' } }), name };
}

/** Appends a fixed value and returns its key, which is made unique. */
export function addFixedValue(
  definition: ParameterDefinition,
  location: ParameterLocation,
): { definition: ParameterDefinition; key: string } {
  const { input_schema: schema, parameter_mapping: mapping } = definition;
  const properties = propertiesOf(schema);
  const key = freeName('fixed', (name) => Object.hasOwn(properties, name) || Object.hasOwn(mapping, name));
  return { definition: { ...definition, parameter_mapping: { ...mapping, [key]: { location, value: '' } } }, key };
}

export function setFixedValue(definition: ParameterDefinition, key: string, text: string): ParameterDefinition {
  const { parameter_mapping: mapping } = definition;
  const rule = mapping[key];
  if (!isFixed(rule)) return definition;
  return { ...definition, parameter_mapping: withKey(mapping, key, { ...rule, value: parseConstant(text) }) };
}

export function removeFixedValue(definition: ParameterDefinition, key: string): ParameterDefinition {
  return { ...definition, parameter_mapping: withoutKey(definition.parameter_mapping, key) };
}

function freeName(preferred: string, isTaken: (name: string) => boolean): string {
  let name = preferred;
  for (let number = 2; isTaken(name); number += 1) name = `${preferred}_${number}`;
  return name;
}

export function removeParameter(definition: ParameterDefinition, name: string): ParameterDefinition {
  const remaining = withProperties(
    setRequired(definition, name, false),
    withoutKey(propertiesOf(definition.input_schema), name),
  );
  return { ...remaining, parameter_mapping: withoutKey(definition.parameter_mapping, name) };
}

export function moveParameter(definition: ParameterDefinition, name: string, steps: number): ParameterDefinition {
  return withProperties(definition, withMovedKey(propertiesOf(definition.input_schema), name, steps));
}

/** Why a parameter cannot have this name; undefined if it can. */
export function nameError(definition: ParameterDefinition, from: string, to: string): string | undefined {
  const { input_schema: schema, parameter_mapping: mapping } = definition;
  if (to === from) return undefined;
  if (to.trim() === '') return 'Enter a name.';
  if (Object.hasOwn(propertiesOf(schema), to)) return `Another parameter is already named ${to}.`;
  const required = Array.isArray(schema.required) && schema.required.includes(to);
  // The rename would make these entries part of the parameter, and the next keystroke would rename them too.
  return required || Object.hasOwn(mapping, to) ? `The schema or the mapping already refers to ${to}.` : undefined;
}

/** The name must be free; see nameError. */
export function renameParameter(definition: ParameterDefinition, from: string, to: string): ParameterDefinition {
  const { input_schema, parameter_mapping } = definition;
  const renamed = withKey(input_schema, 'properties', withRenamedKey(propertiesOf(input_schema), from, to));
  const { required } = input_schema;
  const names = Array.isArray(required) ? required.map((name) => (name === from ? to : name)) : required;
  return {
    input_schema: withKey(renamed, 'required', names),
    parameter_mapping: withRenamedKey(parameter_mapping, from, to),
  };
}

export function setRequired(definition: ParameterDefinition, name: string, required: boolean): ParameterDefinition {
  const { input_schema: schema } = definition;
  const names: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  if (names.includes(name) === required) return definition;
  const changed = required ? [...names, name] : names.filter((entry) => entry !== name);
  return { ...definition, input_schema: withKey(schema, 'required', changed.length > 0 ? changed : undefined) };
}

export function setDescription(definition: ParameterDefinition, name: string, text: string): ParameterDefinition {
  return editProperty(definition, name, (schema) => withKey(schema, 'description', text === '' ? undefined : text));
}

export function setType(definition: ParameterDefinition, name: string, type: TableType): ParameterDefinition {
  return editProperty(definition, name, (schema) => {
    if (tableTypeOf(schema) === type) return schema;
    if (type.endsWith('[]')) {
      const items = withKey(isObject(schema.items) ? schema.items : {}, 'type', type.slice(0, -2));
      return withKey(withKey(schema, 'type', 'array'), 'items', items);
    }
    // `items` is dropped with the list type, unless it holds more than the table shows.
    const hasPlainItems = isObject(schema.items) && Object.keys(schema.items).every((keyword) => keyword === 'type');
    const rest = hasPlainItems ? withoutKey(schema, 'items') : schema;
    return withKey(rest, 'type', type === 'any' ? undefined : type);
  });
}

export function setSecret(definition: ParameterDefinition, name: string, secret: boolean): ParameterDefinition {
  return editProperty(definition, name, (schema) => {
    if (secret) return withKey(schema, 'writeOnly', true);
    const { format } = schema;
    const unmarked = withKey(withKey(schema, 'writeOnly', undefined), 'x-secret', undefined);
    return withKey(unmarked, 'format', format === 'password' ? undefined : format);
  });
}

/** The new definition, or why the text cannot be applied. */
export type EditResult = { definition: ParameterDefinition } | { error: string };

export function setDefault(definition: ParameterDefinition, name: string, text: string): EditResult {
  const property = schemaOf(propertiesOf(definition.input_schema)[name]);
  return setKeyword(definition, name, 'default', parseDefault(text, property?.type));
}

export function setEnum(definition: ParameterDefinition, name: string, text: string): EditResult {
  const property = schemaOf(propertiesOf(definition.input_schema)[name]);
  return setKeyword(definition, name, 'enum', parseEnum(text, property?.type));
}

/** Keys of a rule that fit only one location. */
const locationKeys = ['parent', 'whole', 'style', 'explode', 'allow_reserved', 'file', 'content_type', 'headers'];

/** Undefined uses the default location. Keys of the previous location are removed. */
export function setLocation(
  definition: ParameterDefinition,
  name: string,
  location: ParameterLocation | undefined,
): ParameterDefinition {
  const { parameter_mapping: mapping } = definition;
  if (location === undefined) return { ...definition, parameter_mapping: withoutKey(mapping, name) };
  const existing = mapping[name];
  const rule = isObject(existing) ? existing : {};
  const kept = rule.location === location ? rule : locationKeys.reduce(withoutKey, rule);
  const entry = withKey(kept, 'location', location);
  return { ...definition, parameter_mapping: withKey(mapping, name, entry) };
}

/** The schema of a file, for models. */
const fileSchema: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'Content of a text file.' },
    base64: { type: 'string', description: 'Content of any other file, in Base64.' },
    filename: { type: 'string' },
    media_type: { type: 'string', description: 'For example image/png.' },
  },
};

/** Sends a parameter as a file, or no longer. A file gets the properties of `fileSchema`, unless it has properties. */
export function setFile(definition: ParameterDefinition, name: string, isFile: boolean): ParameterDefinition {
  const mapped = setLocation(definition, name, 'body');
  const { parameter_mapping: mapping } = mapped;
  const existing = mapping[name];
  const rule = isObject(existing) ? existing : {};
  const without = isFile ? ['style', 'explode', 'allow_reserved', 'parent'] : ['file', 'content_type', 'headers'];
  const kept = without.reduce(withoutKey, rule);
  const changed = {
    ...mapped,
    parameter_mapping: withKey(mapping, name, isFile ? withKey(kept, 'file', true) : kept),
  };
  if (!isFile) return changed;
  return editProperty(changed, name, (schema) => ('properties' in schema ? schema : { ...schema, ...fileSchema }));
}

/** A mapped name needs a location: `defaultLocation` is used if there is none. */
export function setUpstreamName(
  definition: ParameterDefinition,
  name: string,
  text: string,
  defaultLocation: ParameterLocation,
): ParameterDefinition {
  const { parameter_mapping: mapping } = definition;
  const existing = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
  if (existing === undefined && text === '') return definition;
  const entry = isObject(existing) ? existing : { location: defaultLocation };
  const named = withKey(entry, 'name', text === '' ? undefined : text);
  return { ...definition, parameter_mapping: withKey(mapping, name, named) };
}

function setKeyword(definition: ParameterDefinition, name: string, keyword: string, result: ParseResult): EditResult {
  if ('error' in result) return result;
  return { definition: editProperty(definition, name, (schema) => withKey(schema, keyword, result.value)) };
}

/** A property that is not a schema stays unchanged. */
function editProperty(
  definition: ParameterDefinition,
  name: string,
  edit: (schema: JsonObject) => JsonObject,
): ParameterDefinition {
  const properties = propertiesOf(definition.input_schema);
  const schema = Object.hasOwn(properties, name) ? schemaOf(properties[name]) : undefined;
  if (schema === undefined) return definition;
  const edited = edit(schema);
  if (edited === schema) return definition;
  return withProperties(definition, withKey(properties, name, edited));
}

function withProperties(definition: ParameterDefinition, properties: JsonObject): ParameterDefinition {
  return { ...definition, input_schema: withKey(definition.input_schema, 'properties', properties) };
}
