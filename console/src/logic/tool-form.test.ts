import { describe, expect, it } from 'vitest';
import type { Tool } from '../api/types';
import { emptyTool, formOfTool, requestOf, standingFaults } from './tool-form';

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
  parameter_mapping: {},
  headers: { 'X-Token': '********', Accept: 'application/json' },
  body_type: 'json',
  cache_ttl: 0,
  timeout: 30,
  retry_count: 0,
  response_type: 'text',
  output_schema: null,
  required_client_capabilities: null,
  annotations: { readOnlyHint: true },
  sort_order: 0,
  status: 'active',
  created_at: '',
  updated_at: '',
};
const saved = formOfTool(tool);

describe('an existing tool', () => {
  it('sends nothing where nothing changed', () => {
    expect(requestOf(saved, saved)).toEqual({ body: {}, faults: {} });
  });

  it('sends what changed, and only that', () => {
    const form = { ...saved, timeout: ' 60', annotations: {}, headers: saved.headers.slice(1) };
    expect(requestOf(form, saved).body).toEqual({
      timeout: 60,
      annotations: null,
      headers: { Accept: 'application/json' },
    });
  });

  it('another order of parameters is a change', () => {
    const schema = { type: 'object', properties: { days: {}, city: { type: 'string' } } };
    expect(requestOf({ ...saved, schema }, saved).body).toHaveProperty('input_schema');
  });

  it('credentials are sent only to replace the stored ones', () => {
    const form = { ...saved, credentials: { token: 't', username: 'left from another type' } };
    expect(requestOf(form, saved).body).toEqual({});
    expect(requestOf({ ...form, replaceCredentials: true }, saved).body).toEqual({ auth_credentials: { token: 't' } });
    expect(
      requestOf({ ...form, authType: 'api-key', credentials: { key_name: 'K', key_value: 'v' } }, saved).body,
    ).toEqual({
      auth_type: 'api-key',
      auth_credentials: { key_name: 'K', key_value: 'v', key_location: 'header' },
    });
    expect(requestOf({ ...form, authType: 'none' }, saved).body).toEqual({ auth_type: 'none' });
  });
});

describe('a new tool', () => {
  it('names what the API requires, also where it is empty, so that it says so', () => {
    expect(requestOf(emptyTool, undefined)).toEqual({ body: { name: '', endpoint_url: '' }, faults: {} });
  });
});

describe('what cannot be sent', () => {
  it.each([
    ['timeout', { timeout: '1.5' }],
    ['cache_ttl', { cacheTtl: '' }],
    ['retry_count', { retryCount: '-1' }],
    ['input_schema', { schemaText: '{"type":' }],
    ['input_schema', { schemaText: '[]' }],
    ['output_schema', { outputSchema: 'x' }],
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
  ])('%s is told beside its field', (field, change) => {
    expect(Object.keys(requestOf({ ...saved, ...change }, saved).faults)).toEqual([field]);
  });
});

it('a fault of the API holds until its field is changed', () => {
  const faults = { timeout: 'Too long.', name: 'Taken.', auth_credentials: 'Missing.' };
  expect(standingFaults(faults, saved, saved)).toEqual(faults);
  const mended = { ...saved, name: 'other', credentials: { token: 't' } };
  expect(standingFaults(faults, saved, mended)).toEqual({ timeout: 'Too long.' });
});
