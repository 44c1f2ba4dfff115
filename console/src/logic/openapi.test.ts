import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { groupOperations, searchOperations, subjectOf } from './openapi';
import { curlExample } from './openapi-example';
import { describeType, resolve, schemaFields } from './openapi-schema';

const serviceDocument: unknown = JSON.parse(readFileSync('openapi.json', 'utf8'));
const groups = groupOperations(serviceDocument);
const operation = (id: string) => {
  const found = groups.flatMap(({ operations }) => operations).find((one) => one.id === id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
};

describe('the document of the service', () => {
  it('is listed completely, with equivalent methods merged', () => {
    const paths = Object.entries((serviceDocument as { paths: Record<string, object> }).paths);
    const methods = paths.flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
    const listedMethods = groups.flatMap(({ operations }) =>
      operations.flatMap((one) => one.methods.map((method) => `${method} ${one.path}`)),
    );
    expect(listedMethods.sort()).toEqual(methods.sort());
    const updates = groups.flatMap(({ operations }) => operations).filter(({ path }) => path === '/tools/{id}');
    expect(updates.map(({ methods: all }) => all)).toEqual([['get'], ['patch', 'put', 'post'], ['delete']]);
  });

  it('every operation has a summary and a response', () => {
    for (const { operations } of groups) {
      for (const { summary, responses } of operations) {
        expect(summary).not.toBe('');
        expect(responses.length).toBeGreaterThan(0);
      }
    }
  });

  it('lists parameters, bodies and responses', () => {
    const list = operation('listCalls');
    expect(list.parameters.find(({ name }) => name === 'per_page')?.type).toBe('integer, 1 to 100, default 20');
    expect(list.parameters.some(({ name }) => name === 'context')).toBe(false);
    expect(list.responses[0]?.type).toBe('list of object, or text/csv, or application/x-ndjson');
    expect(list.responses[0]?.fields.map(({ name }) => name)).toContain('duration_ms');
    expect(list.errors.map(({ status }) => status)).toContain('401');
    expect(operation('createUser').body).toMatchObject([
      { name: 'name', required: true },
      { name: 'role', required: false, type: 'one of admin, owner, viewer, member, default "owner"' },
    ]);
  });

  it('a search finds operations that contain all words', () => {
    const found = searchOperations(groups, 'POST reorder').flatMap(({ operations }) => operations);
    expect(found.map(({ path }) => path)).toEqual(['/servers/{server_id}/tools/reorder']);
    expect(searchOperations(groups, 'zebra')).toEqual([]);
    expect(searchOperations(groups, '  ')).toEqual(groups);
  });
});

it('the subject of a path is its last collection', () => {
  expect(subjectOf('/servers/{id}/toggle')).toBe('servers');
  expect(subjectOf('/servers/{server_id}/tools/reorder')).toBe('tools');
  expect(subjectOf('/servers/{id}/keys/{key_id}')).toBe('endpoint-keys');
  expect(subjectOf('/openapi.json')).toBe('openapi');
});

describe('examples', () => {
  it('fill in required values', () => {
    expect(curlExample(operation('createUser'), 'http://127.0.0.1:8080/api')).toBe(
      [
        'curl -X POST',
        '-H "Authorization: Bearer $TOOLGATE_KEY"',
        "'http://127.0.0.1:8080/api/users'",
        "-H 'Content-Type: application/json'",
        `-d '{"name":"example"}'`,
      ].join(' \\\n  '),
    );
  });

  it('omit the key if none is required', () => {
    const list = { ...operation('listServers'), needsKey: false, path: "/it's/{id}" };
    expect(curlExample(list, '')).toBe(`curl \\\n  '/it'\\''s/1'`);
  });
});

describe('schemas', () => {
  const root = { components: { schemas: { Tree: { properties: { child: { $ref: '#/components/schemas/Tree' } } } } } };

  it('with recursive references terminate', () => {
    const tree = resolve(root, { $ref: '#/components/schemas/Tree' });
    expect(schemaFields(root, tree)[0]?.fields[0]?.name).toBe('child');
    const circle = { a: { $ref: '#/b' }, b: { $ref: '#/a' } };
    expect(resolve(circle, { $ref: '#/a' })).toEqual({});
  });

  it('with dangling references are described as anything', () => {
    expect(describeType(root, resolve(root, { $ref: '#/constructor/prototype' }))).toBe('anything');
    expect(describeType(root, resolve(root, { $ref: 'https://example.com/schema' }))).toBe('anything');
  });

  it('are described as text', () => {
    expect(describeType({}, { type: ['string', 'null'] })).toBe('string or null');
    expect(describeType({}, { type: 'array', items: { type: 'integer' }, maxItems: 100 })).toBe(
      'list of integer, at most 100 items',
    );
    expect(describeType({}, { type: 'integer', minimum: 0 })).toBe('integer');
    expect(describeType({}, { enum: ['', 'a', 'b'] })).toBe('one of a, b');
  });
});

it('an invalid document has no operations', () => {
  expect(groupOperations(null)).toEqual([]);
  expect(groupOperations({ paths: [1, 2] })).toEqual([]);
});
