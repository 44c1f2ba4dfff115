import { expect, it } from 'vitest';
import type { CurlDraft } from './curl-draft';
import { editsFor, modelView, noEdits, sortWarnings } from './curl-edits';

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

it('keeps edits while the command is about the same API', () => {
  const edits = { name: 'mine', rows: {} };
  const before = draft('https://a.example/x');
  expect(editsFor(edits, undefined, before)).toBe(edits);
  expect(editsFor(edits, before, draft('https://a.example/y?z=1'))).toBe(edits);
  expect(editsFor(edits, before, draft('https://b.example/x'))).toBe(noEdits);
});

it('shows the tool as a client lists it', () => {
  expect(modelView('a', '', { type: 'object' })).toEqual({ name: 'a', inputSchema: { type: 'object' } });
  expect(modelView('a', 'b', {})).toEqual({ name: 'a', description: 'b', inputSchema: {} });
});

it('tells warnings that stop from those that only warn', () => {
  const blocking = 'A tool cannot be saved with this: no host.';
  expect(sortWarnings(['-k was ignored.', blocking])).toEqual({ blocking: [blocking], others: ['-k was ignored.'] });
});
