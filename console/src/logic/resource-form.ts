/** Converts resources between the API and the form. Input for one source is preserved while another is selected. */
import type { NewResource, Resource } from '../api/types';
import { type CredentialForm, credentialBody, initialCredentialForm } from './credentials';
import { type HeaderPair, toHeaderPairs, toHeaders } from './headers';
import { isObject } from './json';

export const sources = ['static', 'url', 'wp_query', 'dynamic'] as const;

export type Source = (typeof sources)[number];

export interface ResourceForm {
  uri: string;
  name: string;
  description: string;
  mimeType: string;
  templateUri: string;
  source: Source;
  content: string;
  url: string;
  method: string;
  siteUrl: string;
  /** JSON text. */
  query: string;
  /** Separated by commas. */
  fields: string;
  headers: HeaderPair[];
  credential: CredentialForm;
  timeout: string;
  cacheTtl: string;
  tool: string;
  /** JSON text. */
  arguments: string;
}

export const emptyResource: ResourceForm = {
  uri: '',
  name: '',
  description: '',
  mimeType: 'text/plain',
  templateUri: '',
  source: 'static',
  content: '',
  url: '',
  method: 'GET',
  siteUrl: '',
  query: '{\n  "post_type": "post",\n  "per_page": 10\n}',
  fields: '',
  headers: [],
  credential: { authType: 'none', values: undefined },
  timeout: '30',
  cacheTtl: '0',
  tool: '',
  arguments: '{}',
};

export function toResourceForm(resource: Resource): ResourceForm {
  const config = resource.data_source_config;
  const text = (key: string, fallback: string) => (config[key] == null ? fallback : String(config[key]));
  const json = (key: string, fallback: string) =>
    config[key] == null ? fallback : JSON.stringify(config[key], null, 2);
  return {
    uri: resource.uri,
    name: resource.name,
    description: resource.description,
    mimeType: resource.mime_type,
    templateUri: resource.template_uri ?? '',
    source: isSource(resource.data_source_type) ? resource.data_source_type : 'static',
    content: text('content', ''),
    url: text('url', ''),
    method: text('method', 'GET').toUpperCase(),
    siteUrl: text('site_url', ''),
    query: json('query', resource.data_source_type === 'wp_query' ? '{}' : emptyResource.query),
    fields: Array.isArray(config.fields) ? config.fields.join(', ') : text('fields', ''),
    headers: toHeaderPairs(isObject(config.headers) ? config.headers : {}),
    credential: initialCredentialForm(config.auth_type),
    timeout: text('timeout', '30'),
    cacheTtl: text('cache_ttl', '0'),
    tool: text('tool', ''),
    arguments: json('arguments', '{}'),
  };
}

/** Fields with invalid JSON. */
export function resourceErrors(form: ResourceForm): Record<string, string> {
  const errors: Record<string, string> = {};
  const check = (name: string, text: string) => {
    try {
      JSON.parse(text || '{}');
    } catch (cause) {
      errors[name] = `This is not valid JSON: ${cause instanceof Error ? cause.message : cause}`;
    }
  };
  if (form.source === 'wp_query') check('query', form.query);
  if (form.source === 'dynamic') check('arguments', form.arguments);
  return errors;
}

/** Preserves configuration keys of the stored resource that have no form field. */
export function toResourceBody(form: ResourceForm, stored?: Resource): NewResource {
  return {
    uri: form.uri,
    name: form.name,
    description: form.description,
    mime_type: form.mimeType,
    template_uri: form.templateUri.trim() || null,
    data_source_type: form.source,
    data_source_config: { ...configWithoutField(form.source, stored), ...configOf(form) },
  };
}

/** Keys of `data_source_config` that have a form field. */
const fieldKeys = new Set([
  ...['content', 'url', 'method', 'headers', 'auth_type', 'auth_credentials', 'timeout', 'cache_ttl'],
  ...['site_url', 'query', 'fields', 'tool', 'arguments'],
]);

function configWithoutField(source: Source, stored: Resource | undefined): Record<string, unknown> {
  if (stored?.data_source_type !== source) return {};
  return Object.fromEntries(Object.entries(stored.data_source_config).filter(([key]) => !fieldKeys.has(key)));
}

function configOf(form: ResourceForm): Record<string, unknown> {
  const request = { headers: toHeaders(form.headers), ...credentialBody(form.credential) };
  switch (form.source) {
    case 'static':
      return { content: form.content };
    case 'url':
      return {
        url: form.url,
        method: form.method,
        timeout: numberOrText(form.timeout),
        cache_ttl: numberOrText(form.cacheTtl),
        ...request,
      };
    case 'wp_query': {
      const fields = form.fields.split(',').map((field) => field.trim());
      const selected = fields.filter(Boolean);
      return {
        site_url: form.siteUrl,
        query: JSON.parse(form.query || '{}'),
        ...(selected.length > 0 ? { fields: selected } : {}),
        ...request,
      };
    }
    case 'dynamic':
      return { tool: form.tool, arguments: JSON.parse(form.arguments || '{}') };
  }
}

/** The distinct variables of an RFC 6570 template: path, a and b for `{+path}{?a,b*}`. */
export function uriVariables(template: string): string[] {
  const names = [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.replace(/(\*|:\d+)$/, '').trim()),
  );
  return [...new Set(names.filter(Boolean))];
}

/** Text that is not a number is sent unchanged, so that the API reports the error for the field. */
function numberOrText(value: string): number | string {
  const number = Number(value);
  return value.trim() === '' || Number.isNaN(number) ? value : number;
}

function isSource(value: string): value is Source {
  return sources.some((source) => source === value);
}
