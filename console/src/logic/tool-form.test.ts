import { describe, expect, it } from 'vitest';
import type { Tool } from '../api/types';
import { newToolShaping, toShapingForm } from './shaping-form';
import { buildToolRequest, emptyTool, toToolForm, unresolvedErrors } from './tool-form';

const tool: Tool = {
  id: 1,
  server_id: 1,
  name: 'get_weather',
  description: '',
  endpoint_url: 'https://api.example.com/{city}',
  http_method: 'GET',
  input_schema: { type: 'object', properties: { city: { type: 'string' }, days: {} } },
  auth_type: 'bearer',
  auth_credentials: null,
  credential: null,
  parameter_mapping: {},
  headers: { 'X-Token': '********', Accept: 'application/json' },
  body_type: 'json',
  body_required: true,
  cache_ttl: 0,
  timeout: 30,
  retry_count: 0,
  response_type: 'text',
  output_schema: null,
  required_client_capabilities: null,
  annotations: { readOnlyHint: true },
  shaping: null,
  pinned: false,
  tags: ['pet', 'a, b'],
  origin: null,
  sort_order: 0,
  status: 'active',
  created_at: '',
  updated_at: '',
};
const saved = toToolForm(tool);

describe('an existing tool', () => {
  it('sends nothing without changes', () => {
    expect(buildToolRequest(saved, saved)).toEqual({ body: {}, errors: {} });
  });

  it('sends only changed fields', () => {
    const form = { ...saved, timeout: ' 60', body_required: 'false', annotations: {}, headers: saved.headers.slice(1) };
    expect(buildToolRequest(form, saved).body).toEqual({
      timeout: 60,
      body_required: false,
      annotations: null,
      headers: { Accept: 'application/json' },
    });
  });

  it('shaping is sent as a whole', () => {
    const own = toToolForm({ ...tool, shaping: { max_tokens: 500, html: 'keep' } });
    expect(buildToolRequest(own, own).body).toEqual({});
    const changed = { ...own, shaping: { ...own.shaping, dropEmpty: true } };
    expect(buildToolRequest(changed, own).body).toEqual({ shaping: { max_tokens: 500, drop_empty: true } });
    expect(buildToolRequest({ ...saved, shaping: { ...saved.shaping, mode: 'off' } }, saved).body).toEqual({
      shaping: {},
    });
  });

  it('tags are lines of text', () => {
    expect(saved.tags).toBe('pet\na, b');
    expect(buildToolRequest({ ...saved, tags: ' x \n\ny' }, saved).body).toEqual({ tags: ['x', 'y'] });
    expect(buildToolRequest({ ...saved, tags: 'pet\na, b\n' }, saved).body).toEqual({});
  });

  it('reordered parameters are a change', () => {
    const input_schema = { type: 'object', properties: { days: {}, city: { type: 'string' } } };
    expect(buildToolRequest({ ...saved, input_schema }, saved).body).toHaveProperty('input_schema');
  });

  it('a credential of the server replaces those of the tool', () => {
    const typed = { ...saved, credentials: { token: 't' }, replaceCredentials: true };
    const attached = { ...typed, credential: 'shared', auth_type: 'basic' };
    expect(buildToolRequest(attached, saved).body).toEqual({ credential: 'shared', auth_type: 'basic' });
    const savedAttached = toToolForm({ ...tool, credential: 'shared' });
    expect(buildToolRequest(savedAttached, savedAttached).body).toEqual({});
    const detached = { ...savedAttached, credential: '', credentials: { token: 't' } };
    expect(buildToolRequest(detached, savedAttached).body).toEqual({
      credential: null,
      auth_credentials: { token: 't' },
    });
    const withoutAuth = { ...detached, auth_type: 'none' };
    expect(buildToolRequest(withoutAuth, savedAttached).body).toEqual({ credential: null, auth_type: 'none' });
  });

  it('credentials are sent only to replace the stored ones', () => {
    const form = { ...saved, credentials: { token: 't', username: 'left from another type' } };
    expect(buildToolRequest(form, saved).body).toEqual({});
    expect(buildToolRequest({ ...form, replaceCredentials: true }, saved).body).toEqual({
      auth_credentials: { token: 't' },
    });
    expect(
      buildToolRequest({ ...form, auth_type: 'api-key', credentials: { key_name: 'K', key_value: 'v' } }, saved).body,
    ).toEqual({
      auth_type: 'api-key',
      auth_credentials: { key_name: 'K', key_value: 'v', key_location: 'header' },
    });
    expect(buildToolRequest({ ...form, auth_type: 'none' }, saved).body).toEqual({ auth_type: 'none' });
  });
});

describe('a new tool', () => {
  it('includes required fields even if empty, so that the API reports them', () => {
    expect(buildToolRequest(emptyTool, undefined).body).toMatchObject({ name: '', endpoint_url: '' });
  });

  it('has shaping rules, which are not the default of the API', () => {
    expect(buildToolRequest(emptyTool, undefined)).toEqual({
      body: { name: '', endpoint_url: '', shaping: newToolShaping },
      errors: {},
    });
    const withServerDefault = { ...emptyTool, shaping: toShapingForm(null) };
    expect(buildToolRequest(withServerDefault, undefined).body.shaping).toBeNull();
  });
});

describe('invalid input', () => {
  it.each([
    ['timeout', { timeout: '1.5' }],
    ['cache_ttl', { cache_ttl: '' }],
    ['retry_count', { retry_count: '-1' }],
    ['input_schema', { schemaText: '{"type":' }],
    ['input_schema', { schemaText: '[]' }],
    ['output_schema', { output_schema: 'x' }],
    ['parameters', { pending: { 'city default': 'x' } }],
    [
      'headers',
      {
        headers: [
          { name: 'Accept', value: 'a' },
          { name: 'accept ', value: 'b' },
        ],
      },
    ],
  ])('%s is reported by its field', (field, change) => {
    expect(Object.keys(buildToolRequest({ ...saved, ...change }, saved).errors)).toEqual([field]);
  });
});

it('an error of the API stays until its field changes', () => {
  const errors = { timeout: 'Too long.', name: 'Taken.', auth_credentials: 'Missing.' };
  expect(unresolvedErrors(errors, saved, saved)).toEqual(errors);
  const corrected = { ...saved, name: 'other', credentials: { token: 't' } };
  expect(unresolvedErrors(errors, saved, corrected)).toEqual({ timeout: 'Too long.' });
});
