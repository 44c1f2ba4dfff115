import { expect, it } from 'vitest';
import type { CurlDraft } from './curl-draft';
import { isSameApi, modelView, sortWarnings } from './curl-edits';

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

it('identifies an API by its host', () => {
  const before = draft('https://a.example/x');
  expect(isSameApi(before, draft('https://a.example/y?z=1'))).toBe(true);
  expect(isSameApi(before, draft('https://b.example/x'))).toBe(false);
});

it('shows the tool as in tools/list', () => {
  expect(modelView('a', '', { type: 'object' })).toEqual({ name: 'a', inputSchema: { type: 'object' } });
  expect(modelView('a', 'b', {})).toEqual({ name: 'a', description: 'b', inputSchema: {} });
});

it('separates blocking warnings from the others', () => {
  const blocking = 'A tool cannot be saved with this: no host.';
  const method = 'A tool can use the methods GET, POST only.';
  expect(sortWarnings(['-k was ignored.', blocking, method])).toEqual({
    blocking: [blocking, method],
    others: ['-k was ignored.'],
  });
});
