import { describe, expect, it } from 'vitest';
import {
  buildOverlay,
  candidateArguments,
  cleanEdit,
  editErrors,
  editedTokens,
  noEdit,
  overlayErrors,
} from './import-overlay';
import { candidate } from './testing/candidate-sample';

const pets = candidate('GET /pets', {
  name: 'list_pets',
  description: 'Lists pets.',
  input_schema: {
    type: 'object',
    properties: {
      limit: { type: 'integer', description: 'How many.' },
      filter_name: { type: 'string' },
      owner: { type: 'string' },
      body: { type: 'array' },
    },
    required: ['owner'],
  },
  parameter_mapping: {
    limit: { location: 'query' },
    filter_name: { location: 'query', name: 'filter[name]' },
    owner: { location: 'path' },
    body: { location: 'body', whole: true },
  },
});

it('arguments have the key of the overlay: location and name in the document', () => {
  expect(candidateArguments(pets).map(({ key }) => key)).toEqual([
    'query:limit',
    'query:filter[name]',
    'path:owner',
    'body:body',
  ]);
});

describe('the overlay', () => {
  const originals = { 'GET /pets': pets };

  it('contains renamed, fixed and hidden arguments', () => {
    const edit = {
      name: 'find_pets',
      arguments: {
        'query:limit': { mode: 'fixed', fixed: '20' },
        'query:filter[name]': { mode: 'argument', rename: 'name', description: 'Part of the name.' },
        'body:body': { mode: 'hidden' },
      },
    } as const;
    expect(buildOverlay({ 'GET /pets': edit }, originals)).toEqual({
      'GET /pets': {
        name: 'find_pets',
        arguments: {
          'query:limit': { fixed: 20 },
          'query:filter[name]': { rename: 'name', description: 'Part of the name.' },
          'body:body': { hidden: true },
        },
      },
    });
  });

  it('has constants of the type of the argument', () => {
    const fixed = (key: string, text: string) => {
      const overlay = buildOverlay(
        { 'GET /pets': { arguments: { [key]: { mode: 'fixed', fixed: text } } } },
        originals,
      );
      return JSON.stringify(overlay['GET /pets']);
    };
    expect(fixed('path:owner', '7')).toContain('{"fixed":"7"}');
    expect(fixed('query:limit', '7')).toContain('{"fixed":7}');
    expect(fixed('body:body', '[1]')).toContain('{"fixed":[1]}');
  });

  it('leaves out what the document already says', () => {
    const same = { mode: 'argument', rename: 'limit', description: 'How many.' } as const;
    const edit = { name: 'list_pets', description: 'Lists pets.', arguments: { 'query:limit': same } };
    expect(cleanEdit(pets, edit)).toBeUndefined();
    expect(cleanEdit(pets, { ...edit, name: 'other' })).toEqual({ name: 'other', arguments: {} });
  });
});

it('required arguments cannot be hidden, and constants need a value', () => {
  const errors = editErrors(pets, {
    arguments: {
      'path:owner': { mode: 'hidden' },
      'query:limit': { mode: 'fixed', fixed: 'many' },
      'query:filter[name]': { mode: 'fixed' },
      'body:body': { mode: 'hidden' },
    },
  });
  expect(Object.keys(errors)).toEqual(['query:limit', 'query:filter[name]', 'path:owner']);
});

it('hiding arguments saves tokens', () => {
  const before = editedTokens(pets, noEdit);
  const { name, description, input_schema: inputSchema } = pets;
  expect(before).toBe(Math.ceil(JSON.stringify({ name, description, inputSchema }).length / 4));
  expect(editedTokens(pets, { arguments: { 'query:limit': { mode: 'hidden' } } })).toBeLessThan(before);
});

it('errors of the service are assigned to fields', () => {
  const params = {
    'overlay[GET /pets][name]': 'overlay[GET /pets][name] must not be empty.',
    'overlay[GET /pets][arguments][query:filter[name]][rename]': 'overlay[…] is invalid.',
    'overlay[GET /cats][name]': 'of another operation',
  };
  expect(overlayErrors('GET /pets', params)).toEqual({
    name: 'Must not be empty.',
    'query:filter[name]': 'Overlay[…] is invalid.',
  });
});
