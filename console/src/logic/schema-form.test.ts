import { expect, it } from 'vitest';
import { type FormField, formOf } from './schema-form';

/** The kinds of the fields, by name. */
function fieldKinds(properties: object, rootKeywords: object = {}): Record<string, string> {
  const form = formOf({ type: 'object', properties, ...rootKeywords });
  if (form.kind !== 'group') throw new Error(`the form is of kind ${form.kind}`);
  return Object.fromEntries(form.fields.map(({ name, field }) => [name, field.kind]));
}

function singleField(schema: object, rootKeywords: object = {}): FormField {
  const form = formOf({ properties: { it: schema }, ...rootKeywords });
  const field = form.kind === 'group' ? form.fields[0]?.field : undefined;
  if (!field) throw new Error('the form has no field');
  return field;
}

it('plain types have plain fields', () => {
  const properties = {
    s: { type: 'string' },
    n: { type: 'number' },
    i: { type: 'integer' },
    b: { type: 'boolean' },
    e: { enum: ['a', 1, null] },
    c: { const: 'x' },
    l: { type: 'array', items: { type: 'string' } },
    o: { type: 'object', properties: { a: { type: 'string' } } },
  };
  expect(fieldKinds(properties)).toEqual({
    s: 'text',
    n: 'number',
    i: 'number',
    b: 'boolean',
    e: 'choice',
    c: 'choice',
    l: 'list',
    o: 'group',
  });
});

it('unsupported schemas use a JSON field', () => {
  const properties = {
    alternatives: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    several: { type: ['string', 'number'] },
    anything: true,
    untyped: {},
    tuple: { type: 'array', prefixItems: [{ type: 'string' }] },
    free: { type: 'object', additionalProperties: { type: 'string' } },
    nowhere: { $ref: '#/$defs/none' },
    remote: { $ref: 'https://example.com/schema.json' },
  };
  expect(new Set(Object.values(fieldKinds(properties)))).toEqual(new Set(['json']));
});

it('references are resolved, circular ones are not', () => {
  const $defs = {
    'a/b': { type: 'string', description: 'there' },
    tree: { type: 'object', properties: { left: { $ref: '#/$defs/tree' } } },
  };
  expect(singleField({ $ref: '#/$defs/a~1b' }, { $defs })).toMatchObject({ kind: 'text', description: 'there' });
  expect(singleField({ $ref: '#/$defs/a~1b', description: 'here' }, { $defs }).description).toBe('here');
  const tree = singleField({ $ref: '#/$defs/tree' }, { $defs });
  expect(tree.kind === 'group' && tree.fields[0]?.field.kind).toBe('json');
});

it('a nullable type is treated as the type', () => {
  expect(singleField({ anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'how many' })).toMatchObject({
    kind: 'number',
    description: 'how many',
  });
  expect(singleField({ type: ['string', 'null'] }).kind).toBe('text');
});

it('every secret keyword is recognised', () => {
  for (const mark of [{ format: 'password' }, { writeOnly: true }, { 'x-secret': true }]) {
    expect(singleField({ type: 'string', ...mark })).toMatchObject({ secret: true });
  }
  expect(singleField({ type: 'string' })).toMatchObject({ secret: false });
});

it('the suggestion is the default or the first example', () => {
  expect(singleField({ type: 'string', default: 'a', examples: ['b'] }).suggestion).toBe('a');
  expect(singleField({ type: 'string', examples: ['b'] }).suggestion).toBe('b');
  expect(singleField({ type: 'boolean', default: false }).suggestion).toBe(false);
});

it('a missing or empty schema gives an empty form', () => {
  for (const schema of [undefined, null, {}, { type: 'object' }, true]) {
    expect(formOf(schema)).toMatchObject({ kind: 'group', fields: [] });
  }
});

it('an unsupported root schema uses a JSON field', () => {
  expect(formOf({ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }).kind).toBe('json');
});
