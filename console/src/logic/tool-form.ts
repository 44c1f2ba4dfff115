/** Converts tools between the API and the editor's form. */
import type { NewTool, Tool } from '../api/types';
import { type Credentials, credentialsOf } from './credentials';
import { isObject, isSameJson, type JsonObject, parseJson, prettyJson } from './json';

export interface HeaderPair {
  name: string;
  value: string;
}

export interface ToolForm {
  name: string;
  description: string;
  status: string;
  endpointUrl: string;
  method: string;
  headers: readonly HeaderPair[];
  bodyType: string;
  schema: JsonObject;
  /** The schema text as typed. It may be invalid; `schema` is then the last valid one. */
  schemaText: string;
  mapping: JsonObject;
  /** Text in cells of the parameter table that is not valid yet, by parameter and column; see parameter-form.ts. */
  pending: Readonly<Record<string, string>>;
  authType: string;
  /** New credentials; stored ones are never sent to the console. */
  credentials: Credentials;
  /** Replace the stored credentials with the typed ones. */
  replaceCredentials: boolean;
  timeout: string;
  cacheTtl: string;
  retryCount: string;
  responseType: string;
  outputSchema: string;
  requiredCapabilities: string;
  annotations: JsonObject;
}

/** Initial values of a new tool: the API's defaults. */
export const emptyTool: ToolForm = {
  name: '',
  description: '',
  status: 'active',
  endpointUrl: '',
  method: 'GET',
  headers: [],
  bodyType: 'json',
  schema: { type: 'object', properties: {}, required: [] },
  schemaText: prettyJson({ type: 'object', properties: {}, required: [] }),
  mapping: {},
  pending: {},
  authType: 'none',
  credentials: {},
  replaceCredentials: false,
  timeout: '30',
  cacheTtl: '0',
  retryCount: '0',
  responseType: 'text',
  outputSchema: '',
  requiredCapabilities: '',
  annotations: {},
};

export function toToolForm(tool: Tool): ToolForm {
  const schema = asObject(tool.input_schema);
  return {
    name: tool.name,
    description: tool.description,
    status: tool.status,
    endpointUrl: tool.endpoint_url,
    method: tool.http_method,
    headers: Object.entries(asObject(tool.headers)).map(([name, value]) => ({ name, value: String(value) })),
    bodyType: tool.body_type,
    schema,
    schemaText: prettyJson(schema),
    mapping: asObject(tool.parameter_mapping),
    pending: {},
    authType: tool.auth_type,
    credentials: {},
    replaceCredentials: false,
    timeout: String(tool.timeout),
    cacheTtl: String(tool.cache_ttl),
    retryCount: String(tool.retry_count),
    responseType: tool.response_type,
    outputSchema: tool.output_schema === null ? '' : prettyJson(tool.output_schema),
    requiredCapabilities:
      tool.required_client_capabilities === null ? '' : prettyJson(tool.required_client_capabilities),
    annotations: asObject(tool.annotations),
  };
}

/** The request body by API field name. Client-side errors are by API field name, or `parameters` for the parameter table. */
export interface ToolRequest {
  body: JsonObject;
  errors: Record<string, string>;
}

/**
 * Includes only fields that differ from `saved`, so that concurrent changes are not overwritten. `saved` is undefined for
 * a new tool.
 */
export function buildToolRequest(form: ToolForm, saved: ToolForm | undefined): ToolRequest {
  const base = saved ?? emptyTool;
  const request = fieldsOf(form);
  const savedBody = fieldsOf(base).body;
  const changed = Object.entries(request.body).filter(([field, value]) => !isSameField(value, savedBody[field]));
  const body: JsonObject = Object.fromEntries(changed);
  if (!saved) Object.assign(body, { name: form.name, endpoint_url: form.endpointUrl });
  if (sendsCredentials(form, base)) body.auth_credentials = credentialsOf(form.authType, form.credentials);
  return { body, errors: request.errors };
}

/** Whether the request includes credentials. */
export function sendsCredentials(form: ToolForm, saved: ToolForm): boolean {
  return form.authType !== 'none' && (form.authType !== saved.authType || form.replaceCredentials);
}

/** The API's errors for fields that have not changed since the attempt to save. */
export function unresolvedErrors(
  errors: Record<string, string>,
  attempted: ToolForm,
  current: ToolForm,
): Record<string, string> {
  const read = (form: ToolForm): JsonObject => ({ ...fieldsOf(form).body, auth_credentials: form.credentials });
  const attemptedFields = read(attempted);
  const currentFields = read(current);
  const isUnchanged = (field: string) => isSameField(currentFields[field], attemptedFields[field]);
  return Object.fromEntries(Object.entries(errors).filter(([field]) => isUnchanged(field)));
}

/** Compares key order too, because a reordered schema is a change. */
function isSameField(one: unknown, other: unknown): boolean {
  return isSameJson(one, other) && JSON.stringify(one) === JSON.stringify(other);
}

function fieldsOf(form: ToolForm): ToolRequest {
  const errors: Record<string, string> = {};
  const readInteger = (field: string, text: string): number | undefined => {
    if (/^\d{1,15}$/.test(text.trim())) return Number(text);
    errors[field] = 'Enter a whole number.';
    return undefined;
  };
  const readObject = (field: string, text: string): JsonObject | null => {
    const parsed = text.trim() === '' ? { json: null } : parseJson(text);
    if (parsed && (parsed.json === null || isObject(parsed.json))) return parsed.json;
    errors[field] = parsed ? 'Enter a JSON object: { … }' : 'This is not valid JSON.';
    return null;
  };
  // The request uses the last valid schema, so an invalid text must be reported here.
  readObject('input_schema', form.schemaText);
  if (Object.keys(form.pending).length > 0) errors.parameters = 'Correct the marked cells first.';
  const duplicate = duplicateHeader(form.headers);
  if (duplicate !== undefined) errors.headers = `headers[${duplicate}] is set twice.`;
  const body = {
    name: form.name,
    description: form.description,
    status: form.status,
    endpoint_url: form.endpointUrl,
    http_method: form.method,
    headers: headersOf(form.headers),
    body_type: form.bodyType,
    input_schema: form.schema,
    parameter_mapping: form.mapping,
    auth_type: form.authType,
    timeout: readInteger('timeout', form.timeout),
    cache_ttl: readInteger('cache_ttl', form.cacheTtl),
    retry_count: readInteger('retry_count', form.retryCount),
    response_type: form.responseType,
    output_schema: readObject('output_schema', form.outputSchema),
    required_client_capabilities: readObject('required_client_capabilities', form.requiredCapabilities),
    annotations: Object.keys(form.annotations).length > 0 ? form.annotations : null,
  } satisfies { [Field in keyof NewTool]?: unknown };
  return { body, errors };
}

function headersOf(pairs: readonly HeaderPair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
}

/** The first header name that occurs twice: one would silently replace the other. */
function duplicateHeader(pairs: readonly HeaderPair[]): string | undefined {
  const names = pairs.map(({ name }) => name.trim()).filter((name) => name !== '');
  const lowerCaseNames = names.map((name) => name.toLowerCase());
  return names.find((name, index) => lowerCaseNames.indexOf(name.toLowerCase()) !== index);
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
