import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json';
import {
  addFixedValue,
  addParameter,
  moveParameter,
  nameError,
  removeFixedValue,
  removeParameter,
  renameParameter,
  setDefault,
  setDescription,
  setEnum,
  setFile,
  setFixedValue,
  setLocation,
  setRequired,
  setSecret,
  setType,
  setUpstreamName,
} from './parameter-edits';
import { defaultLocation, type ParameterDefinition, readParameters, tableTypes } from './parameters';
import { sampleDefinition } from './testing/parameter-samples';

const weather: ParameterDefinition = {
  input_schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Which city', minLength: 2 },
      days: { type: 'integer', default: 3, enum: [1, 3, 7] },
      tags: { items: { type: 'string' }, type: 'array' },
      token: { type: 'string', format: 'password' },
      place: { $ref: '#/$defs/place' },
      never: false,
    },
    required: ['city', 'stray'],
    $defs: { place: {} },
  },
  parameter_mapping: {
    city: { location: 'path' },
    days: { location: 'query', name: 'forecast' },
    gone: { location: 'body' },
  },
};

const withSchema = (input_schema: JsonObject): ParameterDefinition => ({ input_schema, parameter_mapping: {} });
const properties = ({ input_schema }: ParameterDefinition) => input_schema.properties;
const toText = (value: unknown) => JSON.stringify(value);
const row = (definition: ParameterDefinition, name: string) => {
  const found = readParameters(definition).rows.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const unwrapEdit = (result: ReturnType<typeof setDefault>): ParameterDefinition => {
  if ('error' in result) throw new Error(result.error);
  return result.definition;
};

describe('the table', () => {
  it('shows the schema and the mapping in one row', () => {
    expect(row(weather, 'days')).toEqual({
      name: 'days',
      type: 'integer',
      typeText: 'integer',
      required: false,
      description: '',
      default: '3',
      enum: '1, 3, 7',
      location: 'query',
      upstreamName: 'forecast',
      parent: '',
      style: '',
      file: false,
      secret: false,
      hiddenKeywords: [],
      locked: false,
    });
    expect(row(weather, 'city')).toMatchObject({ required: true, location: 'path', hiddenKeywords: ['minLength'] });
    expect(row(weather, 'tags')).toMatchObject({ type: 'string[]', hiddenKeywords: [], location: undefined });
    expect(row(weather, 'token')).toMatchObject({ secret: true, hiddenKeywords: [] });
  });

  it('lists hidden keywords and unused mappings', () => {
    const table = readParameters(weather);
    expect(table.hiddenKeywords).toEqual(['$schema', '$defs']);
    expect(table.unusedMappings).toEqual(['gone']);
    expect(row(weather, 'place')).toMatchObject({ type: undefined, typeText: 'place', hiddenKeywords: ['$ref'] });
    const either = withSchema({ properties: { a: { anyOf: [{ type: 'string' }] } } });
    expect(row(either, 'a')).toMatchObject({ type: undefined, typeText: 'see JSON', hiddenKeywords: ['anyOf'] });
    expect(row(weather, 'never')).toMatchObject({ locked: true, typeText: 'false' });
  });

  it('states why a schema cannot be shown', () => {
    expect(readParameters(withSchema({ properties: [] })).unreadable).toContain('properties');
    expect(readParameters(withSchema({ required: 'city' })).unreadable).toContain('required');
  });

  it('has a default location for unmapped arguments', () => {
    expect(defaultLocation('POST', true)).toBe('path');
    expect(defaultLocation('GET', false)).toBe('query');
    expect(defaultLocation('PUT', false)).toBe('body');
  });
});

describe('edits of the table', () => {
  it('a rename changes properties, required and mapping, each at its position', () => {
    const { input_schema, parameter_mapping } = renameParameter(weather, 'city', 'town');
    expect(Object.keys(input_schema.properties ?? {})).toEqual(['town', 'days', 'tags', 'token', 'place', 'never']);
    expect(input_schema.required).toEqual(['town', 'stray']);
    expect(Object.keys(parameter_mapping)).toEqual(['town', 'days', 'gone']);
  });

  it('a name that would overwrite something is rejected', () => {
    for (const name of ['days', 'stray', 'gone', '', ' ']) expect(nameError(weather, 'city', name)).toBeDefined();
    expect(nameError(weather, 'city', 'city')).toBeUndefined();
    expect(nameError(weather, 'city', 'town')).toBeUndefined();
  });

  it('a new parameter has a free name', () => {
    const first = addParameter(withSchema({}));
    expect(first).toEqual({
      definition: withSchema({ type: 'object', properties: { argument: { type: 'string' } } }),
      name: 'argument',
    });
    expect(addParameter(first.definition).name).toBe('argument_2');
  });

  it('a removed parameter is removed everywhere', () => {
    expect(toText(removeParameter(weather, 'city'))).not.toContain('"city"');
    expect(removeParameter(weather, 'city').input_schema.required).toEqual(['stray']);
  });

  it('list types add and remove items, unless items has more keywords', () => {
    const list = setType(weather, 'city', 'integer[]');
    expect(properties(list)).toMatchObject({ city: { type: 'array', items: { type: 'integer' }, minLength: 2 } });
    expect(toText(setType(list, 'city', 'string'))).toBe(toText(weather));
    const detailedItems = withSchema({ properties: { a: { type: 'array', items: { type: 'string', maxLength: 1 } } } });
    expect(properties(setType(detailedItems, 'a', 'string'))).toEqual({
      a: { type: 'string', items: { type: 'string', maxLength: 1 } },
    });
  });

  it('defaults have the type of their parameter', () => {
    expect(row(unwrapEdit(setDefault(weather, 'days', '7')), 'days').default).toBe('7');
    expect(setDefault(weather, 'days', 'many')).toEqual({ error: 'This is not an integer.' });
    expect(properties(unwrapEdit(setDefault(weather, 'city', '42')))).toMatchObject({ city: { default: '42' } });
    expect(properties(unwrapEdit(setDefault(weather, 'city', '""')))).toMatchObject({ city: { default: '' } });
    expect(toText(unwrapEdit(setDefault(unwrapEdit(setDefault(weather, 'city', 'x')), 'city', '')))).toBe(
      toText(weather),
    );
  });

  it('enumerations are comma-separated words or a JSON list', () => {
    expect(properties(unwrapEdit(setEnum(weather, 'city', 'Oslo, Rome,')))).toMatchObject({
      city: { enum: ['Oslo', 'Rome'] },
    });
    expect(properties(unwrapEdit(setEnum(weather, 'city', '["a, b", ""]')))).toMatchObject({
      city: { enum: ['a, b', ''] },
    });
    expect(setEnum(weather, 'days', '1, x')).toHaveProperty('error');
    expect(setEnum(weather, 'days', '[1,')).toHaveProperty('error');
  });

  it('a secret is marked, and unmarking removes every secret keyword', () => {
    expect(row(setSecret(weather, 'city', true), 'city').secret).toBe(true);
    expect(row(setSecret(weather, 'token', false), 'token')).toMatchObject({ secret: false, hiddenKeywords: [] });
  });

  it('an upstream name without a location uses the default location', () => {
    expect(setUpstreamName(weather, 'tags', 'labels', 'query').parameter_mapping.tags).toEqual({
      location: 'query',
      name: 'labels',
    });
    expect(setUpstreamName(weather, 'days', '', 'query').parameter_mapping.days).toEqual({ location: 'query' });
    expect(setUpstreamName(weather, 'tags', '', 'query')).toBe(weather);
    expect(setLocation(weather, 'days', 'header').parameter_mapping.days).toEqual({
      location: 'header',
      name: 'forecast',
    });
    expect(setLocation(weather, 'days', undefined).parameter_mapping).not.toHaveProperty('days');
  });
});

/** Every edit of the table, with sample input. */
const edits: [string, (definition: ParameterDefinition, name: string) => ParameterDefinition][] = [
  ['description', (definition, name) => setDescription(definition, name, 'new words')],
  ['required', (definition, name) => setRequired(definition, name, true)],
  ['optional', (definition, name) => setRequired(definition, name, false)],
  ['secret', (definition, name) => setSecret(definition, name, true)],
  ['not secret', (definition, name) => setSecret(definition, name, false)],
  ['default', (definition, name) => definitionOr(setDefault(definition, name, '5'), definition)],
  ['enum', (definition, name) => definitionOr(setEnum(definition, name, '1, 2'), definition)],
  ['location', (definition, name) => setLocation(definition, name, 'header')],
  ['upstream name', (definition, name) => setUpstreamName(definition, name, 'other', 'query')],
  ...tableTypes.map((type): [string, (definition: ParameterDefinition, name: string) => ParameterDefinition] => [
    type,
    (definition, name) => setType(definition, name, type),
  ]),
];
const definitionOr = (result: ReturnType<typeof setDefault>, definition: ParameterDefinition) =>
  'error' in result ? definition : result.definition;

/** Keywords that an edit of a row may touch. */
const editableKeywords = ['type', 'items', 'description', 'default', 'enum', 'writeOnly', 'x-secret', 'format'];
const entriesWithout = (value: unknown, words: readonly string[]) =>
  Object.entries(value as object).filter(([word]) => !words.includes(word));

/** A cheap comparison for many thousand cases: calls `expect` only on a difference. */
function expectEqual(one: string, other: string): void {
  if (one !== other) expect(one).toBe(other);
}

describe('for many schemas', () => {
  const samples = Array.from({ length: 150 }, (_, seed) => deepFreeze(sampleDefinition(seed)));

  it('most samples differ and have several rows', () => {
    expect(new Set(samples.map(toText)).size).toBeGreaterThan(145);
    expect(samples.filter((sample) => readParameters(sample).rows.length > 2).length).toBeGreaterThan(75);
  });

  it.each(edits)('editing %s of a row does not change other rows, keywords or their order', (_, edit) => {
    for (const sample of samples) {
      for (const { name, locked } of readParameters(sample).rows) {
        const edited = edit(sample, name);
        const before = (sample.input_schema.properties ?? {}) as Record<string, unknown>;
        const after = (edited.input_schema.properties ?? {}) as Record<string, unknown>;
        expectEqual(toText(entriesWithout(after, [name])), toText(entriesWithout(before, [name])));
        expectEqual(toText(Object.keys(after)), toText(Object.keys(before)));
        if (!locked && before[name] !== true) {
          expectEqual(
            toText(entriesWithout(after[name], editableKeywords)),
            toText(entriesWithout(before[name], editableKeywords)),
          );
        }
        expectEqual(
          toText(entriesWithout(edited.input_schema, ['properties', 'required'])),
          toText(entriesWithout(sample.input_schema, ['properties', 'required'])),
        );
        expectEqual(
          toText(entriesWithout(edited.parameter_mapping, [name])),
          toText(entriesWithout(sample.parameter_mapping, [name])),
        );
        const others = (required: unknown) =>
          Array.isArray(required) ? required.filter((entry) => entry !== name) : [];
        expectEqual(toText(others(edited.input_schema.required)), toText(others(sample.input_schema.required)));
      }
    }
  });

  it('setting a row to its shown values changes nothing', () => {
    for (const sample of samples) {
      for (const shown of readParameters(sample).rows) {
        const { name, type, location } = shown;
        expectEqual(toText(setRequired(sample, name, shown.required)), toText(sample));
        if (type) expectEqual(toText(setType(sample, name, type)), toText(sample));
        if (shown.description) expectEqual(toText(setDescription(sample, name, shown.description)), toText(sample));
        if (location) expectEqual(toText(setUpstreamName(sample, name, shown.upstreamName, location)), toText(sample));
      }
    }
  });

  it('undoing a rename, a move or an addition restores the definition', () => {
    for (const sample of samples) {
      const { rows } = readParameters(sample);
      for (const [index, { name }] of rows.entries()) {
        const renamed = renameParameter(sample, name, 'brand new');
        expectEqual(toText(renameParameter(renamed, 'brand new', name)), toText(sample));
        if (index + 1 < rows.length) {
          const moved = moveParameter(sample, name, 1);
          expect(readParameters(moved).rows[index + 1]?.name).toBe(name);
          expectEqual(toText(moveParameter(moved, name, -1)), toText(sample));
        }
        expectEqual(toText(moveParameter(sample, name, -index - 1)), toText(sample));
      }
      if (!('properties' in sample.input_schema)) continue;
      const { definition, name } = addParameter(sample);
      expectEqual(toText(removeParameter(definition, name)), toText(sample));
    }
  });
});

/** Frozen, so that a mutating edit throws. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}

describe('fixed values', () => {
  const graphql: ParameterDefinition = {
    input_schema: { type: 'object', properties: { id: { type: 'string' } } },
    parameter_mapping: {
      query: { location: 'body', value: 'query { x }' },
      id: { location: 'body', parent: 'variables' },
      first: { location: 'body', name: 'n', parent: 'variables', style: '', value: 10 },
      gone: { location: 'query' },
    },
  };

  it('are the rules with a value and without a property', () => {
    const { fixedValues, unusedMappings } = readParameters(graphql);
    expect(fixedValues).toEqual([
      { key: 'query', location: 'body', upstreamName: '', parent: '', style: '', value: 'query { x }' },
      { key: 'first', location: 'body', upstreamName: 'n', parent: 'variables', style: '', value: '10' },
    ]);
    expect(unusedMappings).toEqual(['gone']);
    expect(row(graphql, 'id').parent).toBe('variables');
  });

  it('are shown as text or JSON, and read back unchanged', () => {
    for (const value of ['a b', '', '10', 'null', '"', 10, null, true, [1, 'x'], { a: [] }]) {
      const fixed = { ...graphql, parameter_mapping: { c: { location: 'body', value } } };
      const text = readParameters(fixed).fixedValues[0]?.value ?? '';
      expect(setFixedValue(fixed, 'c', text)).toEqual(fixed);
    }
  });

  it('are added with a free key and removed', () => {
    const { definition, key } = addFixedValue(graphql, 'query');
    expect(definition.parameter_mapping[key]).toEqual({ location: 'query', value: '' });
    expect(addFixedValue(definition, 'query').key).toBe('fixed_2');
    expect(removeFixedValue(definition, key)).toEqual(graphql);
    expect(addParameter(graphql, 'query').name).toBe('query_2');
  });

  it('lose their parent when they leave the body', () => {
    expect(setLocation(graphql, 'first', 'query').parameter_mapping.first).toEqual({
      location: 'query',
      name: 'n',
      value: 10,
    });
    expect(setLocation(graphql, 'first', 'body')).toEqual(graphql);
  });
});

describe('the style of a rule', () => {
  const rule = { location: 'query', style: 'form', explode: false, allow_reserved: true };
  const styled = { input_schema: { properties: { ids: {} } }, parameter_mapping: { ids: rule } };

  it('is shown as text', () => {
    const texts = [
      rule,
      { location: 'body', whole: true },
      { location: 'query', explode: true },
      { location: 'query' },
    ];
    const shown = texts.map((entry) => readParameters({ ...styled, parameter_mapping: { ids: entry } }).rows[0]?.style);
    expect(shown).toEqual(['form, not exploded, reserved characters allowed', 'whole body', 'exploded', '']);
  });

  it('is dropped when the location changes', () => {
    expect(setLocation(styled, 'ids', 'query').parameter_mapping).toEqual({ ids: rule });
    expect(setLocation(styled, 'ids', 'cookie').parameter_mapping).toEqual({ ids: { location: 'cookie' } });
  });
});

describe('a file', () => {
  const photo: ParameterDefinition = {
    input_schema: { type: 'object', properties: { photo: { type: 'string', description: 'A photo' } } },
    parameter_mapping: {},
  };

  it('is declared in the mapping and in the schema', () => {
    const file = setFile(photo, 'photo', true);
    expect(file.parameter_mapping).toEqual({ photo: { location: 'body', file: true } });
    expect(file.input_schema.properties).toMatchObject({
      photo: { type: 'object', description: 'A photo', properties: { base64: { type: 'string' } } },
    });
    expect(readParameters(file).rows[0]).toMatchObject({ file: true, style: 'file' });
    expect(setFile(file, 'photo', false).parameter_mapping).toEqual({ photo: { location: 'body' } });
    expect(setLocation(file, 'photo', 'query').parameter_mapping).toEqual({ photo: { location: 'query' } });
  });
});
