import { expect, it } from 'vitest';
import type { CurlDraft } from './curl-draft';
import { isSameApi, mayChangeData, splitWarnings, toolListEntry } from './curl-edits';

const draft = (endpoint_url: string): CurlDraft => ({
  name: 'x',
  description: '',
  endpoint_url,
  http_method: 'GET',
  headers: {},
  auth_type: 'none',
  auth_credentials: {},
  body: {},
  input_schema: {},
  parameter_mapping: {},
});

it('commands with the same host call the same API', () => {
  const first = draft('https://a.example/x');
  expect(isSameApi(first, draft('https://a.example/y?z=1'))).toBe(true);
  expect(isSameApi(first, draft('https://b.example/x'))).toBe(false);
});

it('the entry in tools/list has no empty description', () => {
  expect(toolListEntry('a', '', { type: 'object' })).toEqual({ name: 'a', inputSchema: { type: 'object' } });
  expect(toolListEntry('a', 'b', {})).toEqual({ name: 'a', description: 'b', inputSchema: {} });
});

it('separates blocking warnings from the others', () => {
  const blocking = 'A tool cannot be saved with this: no host.';
  const method = 'A tool can use the methods GET, POST only.';
  expect(splitWarnings(['-k was ignored.', blocking, method])).toEqual({
    blocking: [blocking, method],
    others: ['-k was ignored.'],
  });
});

it('all methods except GET, HEAD, OPTIONS and QUERY may change data', () => {
  expect(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'].filter(mayChangeData)).toEqual([
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'PURGE',
  ]);
});
