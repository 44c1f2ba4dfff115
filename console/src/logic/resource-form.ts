/** Converts resources between the API and the form. Input for one source is preserved while another is selected. */
import type { NewResource, Resource } from '../api/types';
import { type CredentialForm, credentialBody, initialCredentialForm } from './credentials';
import { parseExact } from './exact-json';
import { type HeaderPair, toHeaderPairs, toHeaders } from './headers';
import { numberOrText, parseInput } from './input-text';
import { isObject, type JsonObject, prettyJson } from './json';

/** The keys of `data_source_config` that have a form field, by source. */
export const configKeys = {
  static: ['content'],
  url: ['url', 'method', 'headers', 'timeout', 'cache_ttl', 'auth_type', 'auth_credentials'],
  wp_query: ['site_url', 'query', 'fields', 'headers', 'auth_type', 'auth_credentials'],
  dynamic: ['tool', 'arguments'],
};

export type Source = keyof typeof configKeys;

/** Text inputs of `data_source_config`, with their initial values. */
const initialTexts = { content: '', url: '', method: 'GET', site_url: '', timeout: '30', cache_ttl: '0', tool: '' };

/** JSON inputs of `data_source_config`. */
const initialJson = { query: '{\n  "post_type": "post",\n  "per_page": 10\n}', arguments: '{}' };

type ConfigInputs = typeof initialTexts & typeof initialJson;

export interface ResourceForm extends ConfigInputs {
  uri: string;
  name: string;
  description: string;
  mime_type: string;
  template_uri: string;
  source: Source;
  /** Separated by commas. */
  fields: string;
  headers: HeaderPair[];
  credential: CredentialForm;
}

export const emptyResource: ResourceForm = {
  ...initialTexts,
  ...initialJson,
  uri: '',
  name: '',
  description: '',
  mime_type: 'text/plain',
  template_uri: '',
  source: 'static',
  fields: '',
  headers: [],
  credential: { authType: 'none', values: undefined },
};

export function toResourceForm(resource: Resource): ResourceForm {
  const { uri, name, description, mime_type, template_uri, data_source_type, data_source_config: config } = resource;
  const texts = readConfig(config, initialTexts, String);
  const query = data_source_type === 'wp_query' ? '{}' : initialJson.query;
  return {
    ...texts,
    method: texts.method.toUpperCase(),
    ...readConfig(config, { ...initialJson, query }, prettyJson),
    uri,
    name,
    description,
    mime_type,
    template_uri: template_uri ?? '',
    source: isSource(data_source_type) ? data_source_type : 'static',
    fields: Array.isArray(config.fields) ? config.fields.join(', ') : String(config.fields ?? ''),
    headers: toHeaderPairs(isObject(config.headers) ? config.headers : {}),
    credential: initialCredentialForm(config.auth_type),
  };
}

/** Replaces initial texts by configured values. */
function readConfig<Texts extends Record<string, string>>(
  config: JsonObject,
  initial: Texts,
  format: (value: unknown) => string,
): Texts {
  const texts = Object.entries(initial).map(([key, text]) => [key, config[key] == null ? text : format(config[key])]);
  // Object.fromEntries does not preserve the names in its type.
  return Object.fromEntries(texts) as Texts;
}

/** Fields with invalid JSON. */
export function resourceErrors(form: ResourceForm): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const key of ['query', 'arguments'] as const) {
    const parsed = parseInput(form[key] || '{}');
    if ('error' in parsed && configKeys[form.source].includes(key)) errors[key] = parsed.error;
  }
  return errors;
}

/** Preserves configuration keys of the stored resource that have no form field. */
export function toResourceBody(form: ResourceForm, stored?: Resource): NewResource {
  const { uri, name, description, mime_type } = form;
  return {
    uri,
    name,
    description,
    mime_type,
    template_uri: form.template_uri.trim() || null,
    data_source_type: form.source,
    data_source_config: { ...configWithoutField(form.source, stored), ...configOf(form) },
  };
}

const fieldKeys = new Set(Object.values(configKeys).flat());

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
        cache_ttl: numberOrText(form.cache_ttl),
        ...request,
      };
    case 'wp_query': {
      const fields = form.fields.split(',').map((field) => field.trim());
      const selected = fields.filter(Boolean);
      return {
        site_url: form.site_url,
        query: parseExact(form.query || '{}'),
        ...(selected.length > 0 ? { fields: selected } : {}),
        ...request,
      };
    }
    case 'dynamic':
      return { tool: form.tool, arguments: parseExact(form.arguments || '{}') };
  }
}

/** The distinct variables of an RFC 6570 template: path, a and b for `{+path}{?a,b*}`. */
export function uriVariables(template: string): string[] {
  const names = [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.replace(/(\*|:\d+)$/, '').trim()),
  );
  return [...new Set(names.filter(Boolean))];
}

function isSource(value: string): value is Source {
  return Object.hasOwn(configKeys, value);
}
