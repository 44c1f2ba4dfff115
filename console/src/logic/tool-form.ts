/** A tool as it stands in the editor, and what of it has to be sent to save it. */
import type { NewTool, Tool } from '../api/types';
import { type Credentials, credentialsOf } from './credentials';
import { isObject, type JsonObject, parseJson, prettyJson, sameJson } from './json';

export interface Pair {
  name: string;
  value: string;
}

export interface ToolForm {
  name: string;
  description: string;
  status: string;
  endpointUrl: string;
  method: string;
  headers: readonly Pair[];
  bodyType: string;
  schema: JsonObject;
  /** The schema as it was typed; it may be half of one, and then `schema` is the last whole one. */
  schemaText: string;
  mapping: JsonObject;
  /** Cells of the table whose text cannot be applied yet, by cell. */
  pending: Readonly<Record<string, string>>;
  authType: string;
  /** Typed to be stored; what is stored already never comes here. */
  credentials: Credentials;
  /** The stored credentials are to be replaced by those typed. */
  replaceCredentials: boolean;
  timeout: string;
  cacheTtl: string;
  retryCount: string;
  responseType: string;
  outputSchema: string;
  requiredCapabilities: string;
  annotations: JsonObject;
}

/** What a new tool starts from: what the API would fill in. */
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

export function formOfTool(tool: Tool): ToolForm {
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

/** What would be sent, by the names of the API, and what is wrong before anything is. */
export interface ToolRequest {
  body: JsonObject;
  faults: Record<string, string>;
}

/** Only what differs from `saved`: what somebody else changed meanwhile is not run over. Undefined is a new tool. */
export function requestOf(form: ToolForm, saved: ToolForm | undefined): ToolRequest {
  const before = saved ?? emptyTool;
  const all = fieldsOf(form);
  const known = fieldsOf(before).body;
  const changed = Object.entries(all.body).filter(([field, value]) => !sameField(value, known[field]));
  const body: JsonObject = Object.fromEntries(changed);
  if (!saved) Object.assign(body, { name: form.name, endpoint_url: form.endpointUrl });
  if (sendsCredentials(form, before)) body.auth_credentials = credentialsOf(form.authType, form.credentials);
  return { body, faults: all.faults };
}

/** Whether credentials were typed that are to be stored. */
export function sendsCredentials(form: ToolForm, saved: ToolForm): boolean {
  return form.authType !== 'none' && (form.authType !== saved.authType || form.replaceCredentials);
}

/** Faults that still hold: those of fields that are as they were when the API found them. */
export function standingFaults(faults: Record<string, string>, then: ToolForm, now: ToolForm): Record<string, string> {
  const read = (form: ToolForm): JsonObject => ({ ...fieldsOf(form).body, auth_credentials: form.credentials });
  const before = read(then);
  const after = read(now);
  const holds = (field: string) => sameField(after[field], before[field]);
  return Object.fromEntries(Object.entries(faults).filter(([field]) => holds(field)));
}

/** The order of keys means something to those who read a schema, so a schema in another order is another one. */
function sameField(value: unknown, before: unknown): boolean {
  return sameJson(value, before) && JSON.stringify(value) === JSON.stringify(before);
}

function fieldsOf(form: ToolForm): ToolRequest {
  const faults: Record<string, string> = {};
  const whole = (field: string, text: string): number | undefined => {
    if (/^\d{1,15}$/.test(text.trim())) return Number(text);
    faults[field] = 'This is not a whole number.';
    return undefined;
  };
  const object = (field: string, text: string): JsonObject | null => {
    const parsed = text.trim() === '' ? { json: null } : parseJson(text);
    if (parsed && (parsed.json === null || isObject(parsed.json))) return parsed.json;
    faults[field] = parsed ? 'This is not an object: { … }' : 'This is not JSON.';
    return null;
  };
  // Held against the last whole schema, half a one is a fault.
  object('input_schema', form.schemaText);
  if (Object.keys(form.pending).length > 0) faults.parameters = 'Mend the marked cells first.';
  const twice = repeated(form.headers);
  if (twice !== undefined) faults.headers = `headers[${twice}] is there twice.`;
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
    timeout: whole('timeout', form.timeout),
    cache_ttl: whole('cache_ttl', form.cacheTtl),
    retry_count: whole('retry_count', form.retryCount),
    response_type: form.responseType,
    output_schema: object('output_schema', form.outputSchema),
    required_client_capabilities: object('required_client_capabilities', form.requiredCapabilities),
    annotations: Object.keys(form.annotations).length > 0 ? form.annotations : null,
  } satisfies { [Field in keyof NewTool]?: unknown };
  return { body, faults };
}

function headersOf(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
}

/** A header that would take another one's place unseen. */
function repeated(pairs: readonly Pair[]): string | undefined {
  const names = pairs.map(({ name }) => name.trim()).filter((name) => name !== '');
  const plain = names.map((name) => name.toLowerCase());
  return names.find((name, index) => plain.indexOf(name.toLowerCase()) !== index);
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
