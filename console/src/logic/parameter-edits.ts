/** Edits of the table of parameters: each touches what it is about in `input_schema` or `parameter_mapping`, and nothing else. */
import { isObject, type JsonObject } from './json';
import { withKey, withMoved, withName, withoutKey } from './ordered';
import { type Reading, readDefault, readEnum } from './parameter-text';
import { type Definition, type Location, propertiesOf, schemaOf, type TableType, typeIn } from './parameters';

/** Adds a parameter at the end and tells its name, which is one that is free. */
export function addParameter(definition: Definition, wish = 'argument'): { definition: Definition; name: string } {
  const properties = propertiesOf(definition.schema);
  let name = wish;
  for (let number = 2; Object.hasOwn(properties, name); number += 1) name = `${wish}_${number}`;
  const schema = 'type' in definition.schema ? definition.schema : { type: 'object', ...definition.schema };
  return {
    definition: { ...definition, schema: withKey(schema, 'properties', { ...properties, [name]: { type: 'string' } }) },
    name,
  };
}

export function removeParameter(definition: Definition, name: string): Definition {
  const { schema, mapping } = setRequired(definition, name, false);
  return {
    schema: withKey(schema, 'properties', withoutKey(propertiesOf(schema), name)),
    mapping: withoutKey(mapping, name),
  };
}

export function moveParameter({ schema, mapping }: Definition, name: string, steps: number): Definition {
  return { schema: withKey(schema, 'properties', withMoved(propertiesOf(schema), name, steps)), mapping };
}

/** Why a parameter cannot take a name; undefined where it can. */
export function nameFault({ schema, mapping }: Definition, from: string, to: string): string | undefined {
  if (to === from) return undefined;
  if (to.trim() === '') return 'A parameter needs a name.';
  if (Object.hasOwn(propertiesOf(schema), to)) return `There is a parameter ${to} already.`;
  const required = Array.isArray(schema.required) && schema.required.includes(to);
  // It would be taken over, and lost with the next key that is typed.
  return required || Object.hasOwn(mapping, to) ? `The JSON says something about ${to} already.` : undefined;
}

/** The name must be free: see nameFault. */
export function renameParameter({ schema, mapping }: Definition, from: string, to: string): Definition {
  const renamed = withKey(schema, 'properties', withName(propertiesOf(schema), from, to));
  const { required } = schema;
  const names = Array.isArray(required) ? required.map((name) => (name === from ? to : name)) : required;
  return { schema: withKey(renamed, 'required', names), mapping: withName(mapping, from, to) };
}

export function setRequired({ schema, mapping }: Definition, name: string, required: boolean): Definition {
  const before: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  if (before.includes(name) === required) return { schema, mapping };
  const after = required ? [...before, name] : before.filter((entry) => entry !== name);
  return { schema: withKey(schema, 'required', after.length > 0 ? after : undefined), mapping };
}

export function setDescription(definition: Definition, name: string, text: string): Definition {
  return editProperty(definition, name, (schema) => withKey(schema, 'description', text === '' ? undefined : text));
}

export function setType(definition: Definition, name: string, type: TableType): Definition {
  return editProperty(definition, name, (schema) => {
    if (typeIn(schema) === type) return schema;
    if (type.endsWith('[]')) {
      const items = withKey(isObject(schema.items) ? schema.items : {}, 'type', type.slice(0, -2));
      return withKey(withKey(schema, 'type', 'array'), 'items', items);
    }
    // What the items must be goes with the list, unless there is more to it than the table shows.
    const plainItems = isObject(schema.items) && Object.keys(schema.items).every((word) => word === 'type');
    const rest = plainItems ? withoutKey(schema, 'items') : schema;
    return withKey(rest, 'type', type === 'any' ? undefined : type);
  });
}

export function setSecret(definition: Definition, name: string, secret: boolean): Definition {
  return editProperty(definition, name, (schema) => {
    if (secret) return withKey(schema, 'writeOnly', true);
    const { format } = schema;
    const shown = withKey(withKey(schema, 'writeOnly', undefined), 'x-secret', undefined);
    return withKey(shown, 'format', format === 'password' ? undefined : format);
  });
}

/** The definition, or why the text cannot be applied. */
export type Applied = { definition: Definition } | { fault: string };

export function setDefault(definition: Definition, name: string, text: string): Applied {
  const property = schemaOf(propertiesOf(definition.schema)[name]);
  return apply(definition, name, 'default', readDefault(text, property?.type));
}

export function setEnum(definition: Definition, name: string, text: string): Applied {
  const property = schemaOf(propertiesOf(definition.schema)[name]);
  return apply(definition, name, 'enum', readEnum(text, property?.type));
}

/** Undefined leaves it to the service where the argument goes. */
export function setLocation(definition: Definition, name: string, location: Location | undefined): Definition {
  const { schema, mapping } = definition;
  if (location === undefined) return { schema, mapping: withoutKey(mapping, name) };
  const before = mapping[name];
  const entry = withKey(isObject(before) ? before : {}, 'location', location);
  return { schema, mapping: withKey(mapping, name, entry) };
}

/** `usual` is where the argument goes anyway: a name needs a place. */
export function setUpstreamName(definition: Definition, name: string, text: string, usual: Location): Definition {
  const { schema, mapping } = definition;
  const before = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
  if (before === undefined && text === '') return definition;
  const entry = isObject(before) ? before : { location: usual };
  return { schema, mapping: withKey(mapping, name, withKey(entry, 'name', text === '' ? undefined : text)) };
}

function apply(definition: Definition, name: string, word: string, reading: Reading): Applied {
  if ('fault' in reading) return reading;
  return { definition: editProperty(definition, name, (schema) => withKey(schema, word, reading.value)) };
}

/** A property that is no schema is left alone. */
function editProperty(definition: Definition, name: string, edit: (schema: JsonObject) => JsonObject): Definition {
  const properties = propertiesOf(definition.schema);
  const before = Object.hasOwn(properties, name) ? schemaOf(properties[name]) : undefined;
  if (before === undefined) return definition;
  const after = edit(before);
  if (after === before) return definition;
  return { ...definition, schema: withKey(definition.schema, 'properties', withKey(properties, name, after)) };
}
