import { describe, expect, it } from 'vitest';
import {
  addParameter,
  moveParameter,
  nameFault,
  removeParameter,
  renameParameter,
  setDefault,
  setDescription,
  setEnum,
  setLocation,
  setRequired,
  setSecret,
  setType,
  setUpstreamName,
} from './parameter-edits';
import { type Definition, readParameters, tableTypes, usualLocation } from './parameters';
import { sampleDefinition } from './testing/parameter-samples';

const weather: Definition = {
  schema: {
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
  mapping: { city: { location: 'path' }, days: { location: 'query', name: 'forecast' }, gone: { location: 'body' } },
};

const text = (value: unknown) => JSON.stringify(value);
const row = (definition: Definition, name: string) => {
  const found = readParameters(definition).rows.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const applied = (result: ReturnType<typeof setDefault>): Definition => {
  if ('fault' in result) throw new Error(result.fault);
  return result.definition;
};

describe('reading', () => {
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
      secret: false,
      more: [],
      locked: false,
    });
    expect(row(weather, 'city')).toMatchObject({ required: true, location: 'path', more: ['minLength'] });
    expect(row(weather, 'tags')).toMatchObject({ type: 'string[]', more: [], location: undefined });
    expect(row(weather, 'token')).toMatchObject({ secret: true, more: [] });
  });

  it('says what it does not show', () => {
    const table = readParameters(weather);
    expect(table.more).toEqual(['$schema', '$defs']);
    expect(table.strayMappings).toEqual(['gone']);
    expect(row(weather, 'place')).toMatchObject({ type: undefined, typeText: 'place', more: ['$ref'] });
    const either: Definition = { schema: { properties: { a: { anyOf: [{ type: 'string' }] } } }, mapping: {} };
    expect(row(either, 'a')).toMatchObject({ type: undefined, typeText: 'see the JSON', more: ['anyOf'] });
    expect(row(weather, 'never')).toMatchObject({ locked: true, typeText: 'false' });
  });

  it('does not pretend to read what is no schema', () => {
    expect(readParameters({ schema: { properties: [] }, mapping: {} }).unreadable).toContain('properties');
    expect(readParameters({ schema: { required: 'city' }, mapping: {} }).unreadable).toContain('required');
  });

  it('knows where an argument goes that nothing is said about', () => {
    expect(usualLocation('POST', true)).toBe('path');
    expect(usualLocation('GET', false)).toBe('query');
    expect(usualLocation('PUT', false)).toBe('body');
  });
});

describe('editing', () => {
  it('a parameter is renamed in the schema, in what is required and in the mapping, each in its place', () => {
    const { schema, mapping } = renameParameter(weather, 'city', 'town');
    expect(Object.keys(schema.properties ?? {})).toEqual(['town', 'days', 'tags', 'token', 'place', 'never']);
    expect(schema.required).toEqual(['town', 'stray']);
    expect(Object.keys(mapping)).toEqual(['town', 'days', 'gone']);
  });

  it('a name that would run over something is not taken', () => {
    for (const name of ['days', 'stray', 'gone', '', ' ']) expect(nameFault(weather, 'city', name)).toBeDefined();
    expect(nameFault(weather, 'city', 'city')).toBeUndefined();
    expect(nameFault(weather, 'city', 'town')).toBeUndefined();
  });

  it('a new one has a name that is free', () => {
    const once = addParameter({ schema: {}, mapping: {} });
    expect(once).toEqual({
      definition: { schema: { type: 'object', properties: { argument: { type: 'string' } } }, mapping: {} },
      name: 'argument',
    });
    expect(addParameter(once.definition).name).toBe('argument_2');
  });

  it('one that is removed is gone everywhere', () => {
    expect(text(removeParameter(weather, 'city'))).not.toContain('"city"');
    expect(removeParameter(weather, 'city').schema.required).toEqual(['stray']);
  });

  it('types: lists bring their items and take them along, unless they say more', () => {
    const list = setType(weather, 'city', 'integer[]');
    expect(list.schema.properties).toMatchObject({ city: { type: 'array', items: { type: 'integer' }, minLength: 2 } });
    expect(text(setType(list, 'city', 'string'))).toBe(text(weather));
    const rich: Definition = {
      schema: { properties: { a: { type: 'array', items: { type: 'string', maxLength: 1 } } } },
      mapping: {},
    };
    expect(setType(rich, 'a', 'string').schema.properties).toEqual({
      a: { type: 'string', items: { type: 'string', maxLength: 1 } },
    });
  });

  it('defaults are of their type', () => {
    expect(row(applied(setDefault(weather, 'days', '7')), 'days').default).toBe('7');
    expect(setDefault(weather, 'days', 'many')).toEqual({ fault: 'This is not an integer.' });
    expect(applied(setDefault(weather, 'city', '42')).schema.properties).toMatchObject({ city: { default: '42' } });
    expect(applied(setDefault(weather, 'city', '""')).schema.properties).toMatchObject({ city: { default: '' } });
    expect(text(applied(setDefault(applied(setDefault(weather, 'city', 'x')), 'city', '')))).toBe(text(weather));
  });

  it('enumerations are words with commas, or a JSON list', () => {
    expect(applied(setEnum(weather, 'city', 'Oslo, Rome,')).schema.properties).toMatchObject({
      city: { enum: ['Oslo', 'Rome'] },
    });
    expect(applied(setEnum(weather, 'city', '["a, b", ""]')).schema.properties).toMatchObject({
      city: { enum: ['a, b', ''] },
    });
    expect(setEnum(weather, 'days', '1, x')).toHaveProperty('fault');
    expect(setEnum(weather, 'days', '[1,')).toHaveProperty('fault');
  });

  it('a secret is marked, and every mark is taken away', () => {
    expect(row(setSecret(weather, 'city', true), 'city').secret).toBe(true);
    expect(row(setSecret(weather, 'token', false), 'token')).toMatchObject({ secret: false, more: [] });
  });

  it('a name upstream needs a place, which is the usual one', () => {
    expect(setUpstreamName(weather, 'tags', 'labels', 'query').mapping.tags).toEqual({
      location: 'query',
      name: 'labels',
    });
    expect(setUpstreamName(weather, 'days', '', 'query').mapping.days).toEqual({ location: 'query' });
    expect(setUpstreamName(weather, 'tags', '', 'query')).toBe(weather);
    expect(setLocation(weather, 'days', 'header').mapping.days).toEqual({ location: 'header', name: 'forecast' });
    expect(setLocation(weather, 'days', undefined).mapping).not.toHaveProperty('days');
  });
});

/** Every edit of the table, with something to put in. */
const edits: [string, (definition: Definition, name: string) => Definition][] = [
  ['description', (definition, name) => setDescription(definition, name, 'new words')],
  ['required', (definition, name) => setRequired(definition, name, true)],
  ['optional', (definition, name) => setRequired(definition, name, false)],
  ['secret', (definition, name) => setSecret(definition, name, true)],
  ['open', (definition, name) => setSecret(definition, name, false)],
  ['default', (definition, name) => orSame(setDefault(definition, name, '5'), definition)],
  ['enum', (definition, name) => orSame(setEnum(definition, name, '1, 2'), definition)],
  ['location', (definition, name) => setLocation(definition, name, 'header')],
  ['upstream name', (definition, name) => setUpstreamName(definition, name, 'other', 'query')],
  ...tableTypes.map((type): [string, (definition: Definition, name: string) => Definition] => [
    type,
    (definition, name) => setType(definition, name, type),
  ]),
];
const orSame = (result: ReturnType<typeof setDefault>, definition: Definition) =>
  'fault' in result ? definition : result.definition;

/** Keywords that an edit of a row may touch. */
const touched = ['type', 'items', 'description', 'default', 'enum', 'writeOnly', 'x-secret', 'format'];
const without = (value: unknown, words: readonly string[]) =>
  Object.entries(value as object).filter(([word]) => !words.includes(word));

/** An `expect` for many thousand comparisons: it costs something only where they differ. */
function same(one: string, other: string): void {
  if (one !== other) expect(one).toBe(other);
}

describe('over many schemas', () => {
  const samples = Array.from({ length: 150 }, (_, seed) => frozen(sampleDefinition(seed)));

  it('they are as different as they should be', () => {
    expect(new Set(samples.map(text)).size).toBeGreaterThan(145);
    expect(samples.filter((sample) => readParameters(sample).rows.length > 2).length).toBeGreaterThan(75);
  });

  it.each(edits)('editing %s of a row leaves all other rows, keywords and their order alone', (_, edit) => {
    for (const sample of samples) {
      for (const { name, locked } of readParameters(sample).rows) {
        const edited = edit(sample, name);
        const before = (sample.schema.properties ?? {}) as Record<string, unknown>;
        const after = (edited.schema.properties ?? {}) as Record<string, unknown>;
        same(text(without(after, [name])), text(without(before, [name])));
        same(text(Object.keys(after)), text(Object.keys(before)));
        if (!locked && before[name] !== true) {
          same(text(without(after[name], touched)), text(without(before[name], touched)));
        }
        same(
          text(without(edited.schema, ['properties', 'required'])),
          text(without(sample.schema, ['properties', 'required'])),
        );
        same(text(without(edited.mapping, [name])), text(without(sample.mapping, [name])));
        const others = (required: unknown) =>
          Array.isArray(required) ? required.filter((entry) => entry !== name) : [];
        same(text(others(edited.schema.required)), text(others(sample.schema.required)));
      }
    }
  });

  it('what a row shows and is put back changes nothing', () => {
    for (const sample of samples) {
      for (const shown of readParameters(sample).rows) {
        const { name, type, location } = shown;
        same(text(setRequired(sample, name, shown.required)), text(sample));
        if (type) same(text(setType(sample, name, type)), text(sample));
        if (shown.description) same(text(setDescription(sample, name, shown.description)), text(sample));
        if (location) same(text(setUpstreamName(sample, name, shown.upstreamName, location)), text(sample));
      }
    }
  });

  it('a rename there and back, a move there and back, and an addition taken back change nothing', () => {
    for (const sample of samples) {
      const { rows } = readParameters(sample);
      for (const [index, { name }] of rows.entries()) {
        const renamed = renameParameter(sample, name, 'brand new');
        same(text(renameParameter(renamed, 'brand new', name)), text(sample));
        if (index + 1 < rows.length) {
          const moved = moveParameter(sample, name, 1);
          expect(readParameters(moved).rows[index + 1]?.name).toBe(name);
          same(text(moveParameter(moved, name, -1)), text(sample));
        }
        same(text(moveParameter(sample, name, -index - 1)), text(sample));
      }
      if (!('properties' in sample.schema)) continue;
      const { definition, name } = addParameter(sample);
      same(text(removeParameter(definition, name)), text(sample));
    }
  });
});

/** So that an edit in place would be an error. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
