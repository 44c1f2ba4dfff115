import { describe, expect, it } from 'vitest';
import type { CurlDraft, Mapping, RequestParts, RowEdit, ValueRow } from './curl-draft';
import { applyEdits, nameErrors, pastedArguments, rowsOf, toolOf } from './curl-tool';
import type { JsonObject } from './json';
import { valueText, valueTexts } from './json-types';
import { fillPlaceholders, readPair, splitUrl } from './url-parts';

const order: CurlDraft = {
  name: 'create_user_order',
  description: 'Creates a user order.',
  endpoint_url: 'https://api.example.com/v1/users/42/orders?flag',
  http_method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Trace': 'abc', Cookie: 'sid=1' },
  auth_type: 'bearer',
  auth_credentials: { token: 'tok_123' },
  body: { notify: true, item: 'tea', count: 2, note: null },
  input_schema: {
    type: 'object',
    properties: {
      notify: { type: 'boolean', description: 'notify', default: true },
      item: { type: 'string', description: 'item', default: 'tea' },
      count: { type: 'integer', description: 'count', default: 2 },
      note: { description: 'note' },
    },
    required: ['notify', 'item', 'count', 'note'],
  },
  parameter_mapping: {
    notify: { location: 'query' },
    item: { location: 'body' },
    count: { location: 'body' },
    note: { location: 'body' },
  },
  body_type: 'json',
};

/** A GraphQL command: the text is fixed, its variable is an argument. */
const graphql: CurlDraft = {
  ...order,
  endpoint_url: 'https://api.example.com/graphql',
  headers: {},
  body: { id: '7' },
  input_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  parameter_mapping: {
    id: { location: 'body', parent: 'variables' },
    query: { location: 'body', value: `query User($id: ID!) { user(id: $id) { name email createdAt updatedAt } }` },
  },
  annotations: { readOnlyHint: true },
};

function applyToggles(draft: CurlDraft, edits: Record<string, RowEdit>): { rows: ValueRow[]; tool: RequestParts } {
  const rows = applyEdits(rowsOf(draft), edits);
  return { rows, tool: toolOf(draft, rows) };
}

describe('the rows of a draft', () => {
  it('contain every value of the request in order', () => {
    expect(rowsOf(order).map(({ id, mode, argument }) => [id, mode, argument])).toEqual([
      ['path:1', 'fixed', 'v1'],
      ['path:2', 'fixed', 'users'],
      ['path:3', 'fixed', 'user_id'],
      ['path:4', 'fixed', 'orders'],
      ['query:flag', 'fixed', 'flag'],
      ['query:notify', 'argument', 'notify'],
      ['header:content-type', 'fixed', 'content_type'],
      ['header:x-trace', 'fixed', 'x_trace'],
      ['header:cookie', 'fixed', 'cookie'],
      ['body:item', 'argument', 'item'],
      ['body:count', 'argument', 'count'],
      ['body:note', 'argument', 'note'],
    ]);
  });

  it('contain the constants of the importer', () => {
    const rows = rowsOf(graphql).filter(({ location }) => location === 'body');
    expect(rows.map(({ id, mode, label, parent }) => [id, mode, label, parent])).toEqual([
      ['body:variables.id', 'argument', 'id', 'variables'],
      ['body:query', 'fixed', 'query', undefined],
    ]);
    expect(toolOf(graphql, rowsOf(graphql))).toEqual(requestParts(graphql));
  });

  it('mark secrets and values that cannot be arguments', () => {
    const cookie = rowsOf(order).find(({ id }) => id === 'header:cookie');
    expect(cookie?.secret).toBe(true);
    expect(cookie?.lockReason).toBeDefined();
    expect(applyToggles(order, { 'header:cookie': { mode: 'argument' } }).tool).toEqual(requestParts(order));
  });

  it('are locked if the path has dot segments', () => {
    const withDotSegments = { ...order, endpoint_url: 'https://api.example.com/a/%2E./b' };
    expect(applyToggles(withDotSegments, { 'path:1': { mode: 'argument' } }).tool.endpoint_url).toBe(
      withDotSegments.endpoint_url,
    );
  });

  it('keep the edits of the same location when the command is imported again', () => {
    const reimported = { ...order, endpoint_url: 'https://api.example.com/v1/users/43/orders' };
    const { tool } = applyToggles(reimported, { 'path:3': { mode: 'argument' }, 'query:gone': { mode: 'argument' } });
    expect(tool.endpoint_url).toBe('https://api.example.com/v1/users/{user_id}/orders');
  });
});

describe('a toggle', () => {
  it('turns a path segment into a placeholder', () => {
    const { tool } = applyToggles(order, { 'path:3': { mode: 'argument', description: 'Who orders' } });
    expect(tool.endpoint_url).toBe('https://api.example.com/v1/users/{user_id}/orders?flag');
    expect(tool.parameter_mapping.user_id).toEqual({ location: 'path' });
    expect(tool.input_schema).toMatchObject({
      properties: { user_id: { type: 'integer', description: 'Who orders' } },
      required: ['notify', 'item', 'count', 'note', 'user_id'],
    });
  });

  it('writes a fixed query argument into the URL', () => {
    const { tool } = applyToggles(order, { 'query:notify': { mode: 'fixed' } });
    expect(tool.endpoint_url).toBe('https://api.example.com/v1/users/42/orders?flag&notify=true');
    expect(tool.parameter_mapping).not.toHaveProperty('notify');
    expect(tool.input_schema.properties).not.toHaveProperty('notify');
  });

  it('removes a header that becomes an argument from the fixed headers', () => {
    const { tool } = applyToggles(order, { 'header:x-trace': { mode: 'argument', argument: 'trace' } });
    expect(tool.headers).toEqual({ 'Content-Type': 'application/json', Cookie: 'sid=1' });
    expect(tool.parameter_mapping.trace).toEqual({ location: 'header', name: 'X-Trace' });
    expect(tool.input_schema.properties).toMatchObject({ trace: { type: 'string', default: 'abc' } });
  });

  it('stores a fixed body field as a value of the mapping', () => {
    const { tool, rows } = applyToggles(order, { 'body:count': { mode: 'fixed' }, 'body:note': { mode: 'fixed' } });
    expect(Object.keys(tool.input_schema.properties ?? {})).toEqual(['notify', 'item']);
    expect(tool.input_schema.required).toEqual(['notify', 'item']);
    expect(tool.parameter_mapping).toEqual({
      notify: { location: 'query' },
      item: { location: 'body' },
      count: { location: 'body', value: 2 },
      note: { location: 'body', value: null },
    });
    expect(pastedArguments(rows)).toEqual({ notify: true, item: 'tea' });
  });

  it('leaves a value out', () => {
    const { tool, rows } = applyToggles(order, {
      'path:2': { mode: 'omitted' },
      'query:flag': { mode: 'omitted' },
      'query:notify': { mode: 'omitted' },
      'header:cookie': { mode: 'omitted' },
      'body:item': { mode: 'omitted' },
      'body:note': { mode: 'omitted' },
    });
    expect(tool.endpoint_url).toBe('https://api.example.com/v1/users/42/orders');
    expect(tool.headers).toEqual({ 'Content-Type': 'application/json', 'X-Trace': 'abc' });
    expect(tool.parameter_mapping).toEqual({ count: { location: 'body' } });
    expect(Object.keys(tool.input_schema.properties ?? {})).toEqual(['count']);
    expect(pastedArguments(rows)).toEqual({ count: 2 });
  });

  it('makes a constant of the importer an argument, or leaves it out', () => {
    const { tool } = applyToggles(graphql, { 'body:query': { mode: 'argument' } });
    expect(tool.input_schema.properties).toEqual({ id: { type: 'string' }, query: { type: 'string' } });
    expect(tool.input_schema.required).toEqual(['id', 'query']);
    expect(tool.parameter_mapping).toEqual({
      id: { location: 'body', parent: 'variables' },
      query: { location: 'body' },
    });
    expect(applyToggles(graphql, { 'body:query': { mode: 'omitted' } }).tool.parameter_mapping).toEqual({
      id: { location: 'body', parent: 'variables' },
    });
  });

  it('keeps the parent of a value', () => {
    const fixed = applyToggles(graphql, { 'body:variables.id': { mode: 'fixed' } }).tool;
    expect(fixed.parameter_mapping.id).toEqual({ location: 'body', parent: 'variables', value: '7' });
    const renamed = applyToggles(graphql, { 'body:variables.id': { argument: 'user' } }).tool;
    expect(renamed.parameter_mapping.user).toEqual({ location: 'body', name: 'id', parent: 'variables' });
  });

  it('renames an argument without renaming its target', () => {
    const { tool } = applyToggles(order, { 'body:item': { argument: 'product' } });
    expect(tool.parameter_mapping).toMatchObject({ product: { location: 'body', name: 'item' } });
    expect(Object.keys(tool.input_schema.properties ?? {})).toEqual(['notify', 'product', 'count', 'note']);
  });

  it('converts defaults and examples to the chosen type', () => {
    const { tool, rows } = applyToggles(order, { 'body:count': { type: 'string' }, 'body:item': { type: 'array' } });
    expect(tool.input_schema.properties).toMatchObject({
      count: { type: 'string', description: 'count', default: '2' },
      item: { type: 'array', items: {}, default: ['tea'] },
    });
    expect(pastedArguments(rows)).toMatchObject({ count: '2', item: ['tea'] });
  });
});

describe('argument names', () => {
  it('must be non-empty, unique and valid in placeholders', () => {
    const { rows } = applyToggles(order, {
      'path:3': { mode: 'argument', argument: 'user id' },
      'query:notify': { argument: '' },
      'header:x-trace': { mode: 'argument', argument: 'count' },
    });
    expect(Object.keys(nameErrors(rows))).toEqual(['path:3', 'query:notify', 'header:x-trace', 'body:count']);
    expect(nameErrors(rowsOf(order))).toEqual({});
  });
});

describe('any draft', () => {
  const drafts = Array.from({ length: 150 }, (_, seed) => randomDraft(random(seed + 1)));

  it('is reproduced exactly by its unchanged rows', () => {
    for (const draft of drafts) {
      expect(JSON.stringify(toolOf(draft, rowsOf(draft)))).toBe(JSON.stringify(requestParts(draft)));
    }
  });

  it('is reproduced after toggling every value twice', () => {
    for (const draft of drafts) {
      const rows = rowsOf(draft);
      const toggledOnce = rows.map((row): ValueRow => ({ ...row, mode: row.mode === 'fixed' ? 'argument' : 'fixed' }));
      const toggledTwice = toggledOnce.map((row, index): ValueRow => ({ ...row, mode: rows[index]?.mode ?? row.mode }));
      expect(toolOf(draft, toggledTwice)).toEqual(requestParts(draft));
    }
  });

  it('sends the same request for any toggles', () => {
    for (const [seed, draft] of drafts.entries()) {
      const next = random(seed + 7);
      const edits = rowsOf(draft).map(({ id }): [string, RowEdit] => [
        id,
        next() < 0.5 ? { mode: 'argument' } : { mode: 'fixed' },
      ]);
      const { rows, tool } = applyToggles(draft, Object.fromEntries(edits));
      expect(nameErrors(rows)).toEqual({});
      expect(sentRequest(tool, pastedArguments(rows), draft)).toEqual(sentRequest(draft, draft.body, draft));
    }
  });
});

/** The part of the request that toggles can change, as the service would send it. */
function sentRequest(tool: RequestParts, args: JsonObject, draft: CurlDraft) {
  const properties = tool.input_schema.properties as Record<string, JsonObject>;
  const values = new Map(Object.entries(args));
  for (const [name, property] of Object.entries(properties)) {
    if ('default' in property && !values.has(name)) values.set(name, property.default);
  }
  for (const name of tool.input_schema.required as string[]) expect(values.has(name), name).toBe(true);
  for (const [name, rule] of Object.entries(tool.parameter_mapping)) {
    if (Object.hasOwn(rule, 'value')) values.set(name, rule.value);
  }

  const { base, segments, pairs = [] } = splitUrl(tool.endpoint_url);
  const filled = (text: string) => fillPlaceholders(text, (name) => encodeURIComponent(valueText(values.get(name))));
  const sent = { query: [] as string[][], headers: new Map<string, string>(), body: new Map<string, unknown>() };
  for (const pair of pairs.filter((text) => text !== '')) {
    const { name = '', value = '' } = readPair(filled(pair)) ?? {};
    sent.query.push([name, value]);
  }
  for (const [name, value] of Object.entries(tool.headers)) sent.headers.set(name.toLowerCase(), value);
  for (const [name, value] of values) {
    const rule: Mapping = Object.hasOwn(tool.parameter_mapping, name)
      ? (tool.parameter_mapping[name] as Mapping)
      : { location: draft.http_method === 'GET' ? 'query' : 'body' };
    const target = rule.name ?? name;
    if (rule.location === 'query') sent.query.push(...valueTexts(value).map((text) => [target, text]));
    if (rule.location === 'body') sent.body.set([rule.parent, target].join('.'), value);
    if (rule.location === 'header') sent.headers.set(target.toLowerCase(), valueText(value));
  }
  return {
    url: base + segments.map((segment) => decodeURIComponent(filled(segment))).join('\n'),
    query: sent.query.map((pair) => pair.join('=')).sort(),
    headers: Object.fromEntries([...sent.headers].sort()),
    body: sent.body,
  };
}

function requestParts({ endpoint_url, headers, input_schema, parameter_mapping }: CurlDraft): RequestParts {
  return { endpoint_url, headers, input_schema, parameter_mapping };
}

/** Deterministic pseudo-random numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A random importer draft with values that are hard to encode. */
function randomDraft(next: () => number): CurlDraft {
  const pickOne = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const pickSome = <T>(items: readonly T[]): T[] => items.filter(() => next() < 0.4);
  const placeholders = pickSome(['city', 'user-id', '_x']);
  const segments = pickSome(['v1', 'users', '42', 'a%20b', '%7Bx%7D', 'ä', 'x.json', '']).concat(
    placeholders.map((placeholder) => pickOne(['{S}', 'pre-{S}.json']).replace('S', placeholder)),
  );
  const pairs = pickSome(['flag', 'e=%C3%A9', 'a=1', 'a=2', 'b[]=x+y', '__proto__=1', 'z=1%262', '']);
  const values = [
    true,
    0,
    -1.5,
    'tea',
    '',
    'a&b=c',
    '{x}',
    'ü 😀',
    null,
    [],
    ['a', 'b c'],
    [1, null],
    { a: [1, { b: null }] },
  ];
  const constants = pickSome(['grant_type', 'constant[]', 'item2']).map((name): [string, Mapping] => [
    name.replace('[]', ''),
    {
      location: 'body',
      ...(name.endsWith('[]') ? { name } : {}),
      ...(next() < 0.3 ? { parent: 'variables' } : {}),
      value: pickOne(values),
    },
  ]);
  const names = pickSome(['item', 'constructor', '__proto__', 'tag[]', 'count', 'toString', 'X-Y', 'v1']);
  const fields = names.map((name) => ({ name, value: pickOne(values), location: pickOne(['query', 'body'] as const) }));
  const body: [string, unknown][] = [
    ...placeholders.map((placeholder): [string, string] => [placeholder, pickOne(['Bern', 'a/b', '7'])]),
  ];
  const mapping: [string, Mapping][] = placeholders.map((placeholder) => [placeholder, { location: 'path' }]);
  for (const { name, value, location } of fields) {
    const argument = name.replace('[]', '');
    body.push([argument, value]);
    mapping.push([argument, argument === name ? { location } : { location, name }]);
  }
  const properties = body.map(([name, value]): [string, JsonObject] => [
    name,
    { ...(typeof value === 'string' ? { type: 'string' } : {}), description: name },
  ]);
  return {
    name: 'tool',
    description: '',
    endpoint_url: `https://api.example.com${['', ...segments].join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
    http_method: 'POST',
    headers: Object.fromEntries(
      pickSome(['Accept', 'X-Trace', 'Cookie', '__proto__', 'X-Key']).map((name) => [name, pickOne(['a', 'ä b', ''])]),
    ),
    auth_type: 'none',
    auth_credentials: {},
    body: Object.fromEntries(body),
    input_schema: { type: 'object', properties: Object.fromEntries(properties), required: body.map(([name]) => name) },
    parameter_mapping: Object.fromEntries(next() < 0.5 ? [...mapping, ...constants] : [...constants, ...mapping]),
  };
}
