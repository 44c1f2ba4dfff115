import { expect, it } from 'vitest';
import type { Resource } from '../api/types';
import { emptyResource, resourceErrors, toResourceBody, toResourceForm, uriVariables } from './resource-form';

function resource(data_source_type: string, data_source_config: Record<string, unknown>): Resource {
  return {
    id: 1,
    server_id: 1,
    uri: 'docs://a',
    name: 'A',
    description: '',
    mime_type: 'text/plain',
    data_source_type,
    data_source_config,
    template_uri: null,
    created_at: '2026-11-15T00:00:00',
    updated_at: '2026-11-15T00:00:00',
  };
}

it.each([
  resource('static', { content: 'Hi {{id}}' }),
  resource('url', {
    url: 'https://a.example/{id}',
    method: 'POST',
    timeout: 10,
    cache_ttl: 60,
    headers: { 'X-Key': '********' },
    auth_type: 'none',
  }),
  resource('wp_query', {
    site_url: 'https://blog.example',
    query: { post_type: 'post' },
    fields: ['id', 'title'],
    headers: {},
    auth_type: 'none',
  }),
  resource('dynamic', { tool: 'get_weather', arguments: { city: 'Oslo' } }),
])('$data_source_type round-trips', (stored) => {
  const body = toResourceBody(toResourceForm(stored), stored);
  expect(body.data_source_type).toBe(stored.data_source_type);
  expect(body.data_source_config).toEqual(stored.data_source_config);
});

it('an unchanged credential is omitted, because null would delete it', () => {
  const stored = resource('url', { url: 'https://a.example', auth_type: 'bearer', auth_credentials: null });
  const config = toResourceBody(toResourceForm(stored), stored).data_source_config;
  expect(config).toMatchObject({ auth_type: 'bearer' });
  expect(config).not.toHaveProperty('auth_credentials');
});

it('keys without a field are preserved unless the source changes', () => {
  const stored = resource('static', { content: 'x', note: 'mine' });
  const form = toResourceForm(stored);
  expect(toResourceBody(form, stored).data_source_config).toEqual({ content: 'x', note: 'mine' });
  const changed = toResourceBody({ ...form, source: 'dynamic', tool: 't' }, stored);
  expect(changed.data_source_config).toEqual({ tool: 't', arguments: {} });
});

it('invalid JSON is reported before sending', () => {
  expect(resourceErrors({ ...emptyResource, source: 'wp_query', query: '{' })).toHaveProperty('query');
  expect(resourceErrors({ ...emptyResource, source: 'dynamic', arguments: 'x' })).toHaveProperty('arguments');
  expect(resourceErrors({ ...emptyResource, query: '{' })).toEqual({});
});

it('an empty template is null, and invalid numbers are left to the API', () => {
  const body = toResourceBody({ ...emptyResource, source: 'url', template_uri: ' ', timeout: 'soon' });
  expect(body.template_uri).toBeNull();
  expect(body.data_source_config).toMatchObject({ timeout: 'soon', cache_ttl: 0 });
});

it('finds the variables of a template', () => {
  expect(uriVariables('docs://{a}/{+b}{?c,d*}{&e:3}/{a}')).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(uriVariables('docs://plain/{}')).toEqual([]);
});

it.runIf('rawJSON' in JSON)('long numbers in a query and in arguments keep their digits', () => {
  const json = '{"id":12345678901234567890}';
  const query = toResourceBody({ ...emptyResource, source: 'wp_query', query: json });
  expect(JSON.stringify(query.data_source_config)).toContain(`"query":${json}`);
  const call = toResourceBody({ ...emptyResource, source: 'dynamic', arguments: json });
  expect(JSON.stringify(call.data_source_config)).toContain(`"arguments":${json}`);
});
