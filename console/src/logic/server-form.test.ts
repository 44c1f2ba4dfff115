import { expect, it } from 'vitest';
import type { Server } from '../api/types';
import { customSettingsError, toServerBody, toServerForm } from './server-form';

const server: Server = {
  id: 1,
  user_id: 1,
  name: 'Weather',
  slug: 'weather',
  server_id: '0519',
  status: 'active',
  transport_type: 'streamable-http',
  auth_type: 'none',
  rate_limit_per_min: 60,
  settings: {
    description: 'Forecasts',
    allowed_origins: ['https://a.example', 'https://b.example'],
    test_credentials: { auth_type: 'bearer', auth_credentials: null },
    team: 'north',
  },
  endpoint_url: 'http://127.0.0.1/mcp/weather/0519',
  tool_count: 0,
  created_at: '2026-11-15T00:00:00',
  updated_at: '2026-11-15T00:00:00',
};

it('an unchanged form sends nothing', () => {
  expect(toServerBody(toServerForm(server), server)).toEqual({});
  expect(toServerBody(toServerForm({ ...server, settings: null }), { ...server, settings: null })).toEqual({});
});

it('unset settings have the defaults of the service', () => {
  const form = toServerForm({ ...server, settings: null });
  expect(form).toMatchObject({
    capture: 'off',
    captureBytes: '4096',
    safeNames: true,
    coercesArguments: false,
    tracesUpstream: false,
    discovery: 'all',
    listBudget: '10000',
    adaptsSchemas: true,
    clientProfiles: [],
    origins: '',
    customSettings: '{}',
  });
});

it('only changed fields are sent', () => {
  const form = { ...toServerForm(server), name: 'Wetter', capture: 'failures' as const, rateLimit: '0' };
  expect(toServerBody(form, server)).toEqual({
    name: 'Wetter',
    rate_limit_per_min: 0,
    settings: { capture: 'failures' },
  });
});

it('an emptied text is deleted', () => {
  expect(toServerBody({ ...toServerForm(server), description: '' }, server)).toEqual({
    settings: { description: null },
  });
});

it('origins are one per line, without empty lines', () => {
  const form = { ...toServerForm(server), origins: ' https://a.example \n\nhttps://c.example' };
  expect(toServerBody(form, server).settings).toEqual({ allowed_origins: ['https://a.example', 'https://c.example'] });
});

it('invalid numbers are left to the API', () => {
  expect(toServerBody({ ...toServerForm(server), rateLimit: 'many' }, server)).toEqual({ rate_limit_per_min: 'many' });
  expect(toServerBody({ ...toServerForm(server), rateLimit: '' }, server)).toEqual({ rate_limit_per_min: '' });
});

it('settings of tool lists and response shaping are read, changed and deleted', () => {
  const settings = {
    discovery: 'auto',
    list_budget: 2000,
    adapt_schemas: false,
    client_profiles: { 'my-agent': 'gemini' },
    shaping: { max_tokens: 500 },
  };
  const stored = { ...server, settings };
  const form = toServerForm(stored);
  expect(form.customSettings).toBe('{}');
  expect(toServerBody(form, stored)).toEqual({});
  const changed = {
    ...form,
    discovery: 'search' as const,
    listBudget: '3000',
    adaptsSchemas: true,
    clientProfiles: [...form.clientProfiles, { name: ' codex ', value: 'common' }, { name: '', value: '' }],
    shaping: { ...form.shaping, tables: true },
  };
  expect(toServerBody(changed, stored).settings).toEqual({
    discovery: 'search',
    list_budget: 3000,
    adapt_schemas: true,
    client_profiles: { 'my-agent': 'gemini', codex: 'common' },
    shaping: { max_tokens: 500, tables: true },
  });
  const cleared = { ...form, clientProfiles: [], shaping: { ...form.shaping, mode: 'default' as const } };
  expect(toServerBody(cleared, stored).settings).toEqual({ client_profiles: null, shaping: null });
});

it('removed custom settings are deleted, and credentials are never included', () => {
  const form = toServerForm(server);
  expect(JSON.parse(form.customSettings)).toEqual({ team: 'north' });
  expect(toServerBody({ ...form, customSettings: '{"floor": 3}' }, server).settings).toEqual({ team: null, floor: 3 });
});

it('custom settings must be an object without built-in keys', () => {
  expect(customSettingsError('{"a": 1}')).toBeUndefined();
  expect(customSettingsError('')).toBeUndefined();
  expect(customSettingsError('{')).toMatch(/not valid JSON/);
  for (const text of ['[1]', 'null', '1', '12345678901234567890'])
    expect(customSettingsError(text), text).toMatch(/object/);
  expect(customSettingsError('{"capture": "all"}')).toMatch(/capture/);
});

it.runIf('rawJSON' in JSON)('long numbers in custom settings keep their digits', () => {
  const form = { ...toServerForm(server), customSettings: '{"team":12345678901234567890}' };
  expect(JSON.stringify(toServerBody(form, server).settings)).toBe(form.customSettings);
});
