/** The fields of a tool in the editor, in one table: API value, input, tab and, for plain fields, the control. */
import type { NewTool, Tool } from '../api/types';
import { type HeaderPair, toHeaderPairs, toHeaders } from './headers';
import { isObject, type JsonObject, parseJson, prettyJson } from './json';
import { newToolShaping, type ShapingForm, toShaping, toShapingForm } from './shaping-form';

export const tabs = [
  { id: 'request', label: 'Request' },
  { id: 'parameters', label: 'Parameters' },
  { id: 'authentication', label: 'Authentication' },
  { id: 'response', label: 'Response' },
  { id: 'limits', label: 'Limits' },
  { id: 'advanced', label: 'Advanced' },
] as const;

export type TabId = (typeof tabs)[number]['id'];

/** Tabs that show their plain fields; see PlainFields.tsx. */
export type PlainTab = 'request' | 'response' | 'limits' | 'advanced';

/** The value to send, or why the input is invalid. */
type CheckedInput = { value: unknown } | { error: string };

interface EditorField<Input> {
  /** Undefined for the fields above the tabs. */
  tab: TabId | undefined;
  /** The input for a new tool: the API's default. */
  empty: Input;
  /** Converts a value of the API to the input. */
  read: (value: unknown) => Input;
  check: (input: Input) => CheckedInput;
}

interface Labels {
  label: string;
  hint?: string;
}

/** A line of text, a number, a select (with labels by value) or a JSON editor. */
type Control = Labels &
  (
    | { type: 'text' }
    | { type: 'number'; min: number; max: number }
    | { options: Readonly<Record<string, string>> }
    | { minLines: number; optional: true }
  );

interface PlainField extends EditorField<string> {
  tab: PlainTab;
  control: Control;
}

/** Text that a tab's component shows. */
function text(tab: TabId | undefined, empty = ''): EditorField<string> {
  return { tab, empty, read: String, check: (value) => ({ value }) };
}

/** A line of text, or a choice. */
function plain(tab: PlainTab, empty: string, control: Control): PlainField {
  return { ...text(tab, empty), tab, control };
}

/** A choice between true and false. */
function flag(
  tab: PlainTab,
  empty: boolean,
  control: Labels & { options: Readonly<Record<'true' | 'false', string>> },
): PlainField {
  return { ...plain(tab, String(empty), control), check: (input) => ({ value: input === 'true' }) };
}

function integer(tab: PlainTab, empty: number, [min, max]: [min: number, max: number], labels: Labels): PlainField {
  return { ...plain(tab, String(empty), { ...labels, type: 'number', min, max }), check: checkInteger };
}

/** The text of an optional JSON object. */
function jsonText(tab: PlainTab, minLines: number, labels: Labels): PlainField {
  const read = (value: unknown) => (value === null ? '' : prettyJson(value));
  return { ...plain(tab, '', { ...labels, minLines, optional: true }), read, check: checkObject };
}

/** The rules by which responses are shortened. Those of a new tool are not the API's default. */
function shapingRules(tab: TabId): EditorField<ShapingForm> {
  return {
    tab,
    empty: toShapingForm(newToolShaping),
    read: toShapingForm,
    check: (form) => ({ value: toShaping(form) }),
  };
}

function object(tab: TabId, empty: JsonObject): EditorField<JsonObject> {
  return { tab, empty, read: asObject, check: (value) => ({ value }) };
}

/** The name of a credential of the server; empty for the tool's own credentials. */
function credentialName(tab: TabId): EditorField<string> {
  const read = (value: unknown) => (typeof value === 'string' ? value : '');
  return { ...text(tab), read, check: (name) => ({ value: name === '' ? null : name }) };
}

function headerPairs(tab: TabId): EditorField<readonly HeaderPair[]> {
  return { tab, empty: [], read: (value) => toHeaderPairs(asObject(value)), check: checkHeaders };
}

/** By API name. Fields of a tab appear in this order. */
export const toolFields = {
  name: text(undefined),
  description: text(undefined),
  endpoint_url: text('request'),
  http_method: text('request', 'GET'),
  headers: headerPairs('request'),
  body_type: plain('request', 'json', {
    label: 'Body',
    hint: 'Encoding of body arguments.',
    options: {
      json: 'JSON',
      form: 'Form (application/x-www-form-urlencoded)',
      multipart: 'Multipart form',
      raw: 'Raw (a single body argument)',
    },
  }),
  body_required: flag('request', true, {
    label: 'Without body arguments',
    hint: 'What to send if a call has no body arguments.',
    options: { true: 'Send an empty body', false: 'Send no body' },
  }),
  input_schema: object('parameters', { type: 'object', properties: {}, required: [] }),
  parameter_mapping: object('parameters', {}),
  auth_type: text('authentication', 'none'),
  credential: credentialName('authentication'),
  timeout: integer('limits', 30, [1, 300], {
    label: 'Timeout (seconds)',
    hint: '1 to 300, from connecting to the last byte.',
  }),
  cache_ttl: integer('limits', 0, [0, 2_592_000], {
    label: 'Cache responses for (seconds)',
    hint: '0 turns caching off; at most 30 days.',
  }),
  retry_count: integer('limits', 0, [0, 5], {
    label: 'Retries',
    hint: '0 to 5. Only requests that are safe to repeat are retried.',
  }),
  status: plain('advanced', 'active', {
    label: 'Status',
    options: { active: 'Active (visible to clients)', paused: 'Paused (hidden from clients)' },
  }),
  tags: {
    ...text('advanced'),
    // A tag may contain any character but a line break.
    read: (value: unknown) => (Array.isArray(value) ? value.join('\n') : ''),
    check: (input: string) => ({ value: splitTags(input) }),
  },
  pinned: flag('advanced', false, {
    label: 'Pinned',
    hint: 'If clients search for tools, the list has only the pinned tools (at most 20).',
    options: { false: 'No: found by search', true: 'Yes: always in the list' },
  }),
  shaping: shapingRules('response'),
  response_type: plain('response', 'text', {
    label: 'Upstream response format',
    hint: 'An MCP result is passed on as it is, without shaping.',
    options: { text: 'Text', mcp: 'MCP result' },
  }),
  output_schema: jsonText('response', 4, { label: 'Output schema', hint: 'JSON Schema of the structured result.' }),
  required_client_capabilities: jsonText('advanced', 3, {
    label: 'Required client capabilities',
    hint: 'For example {"elicitation": {}}. Calls by clients without these capabilities are rejected.',
  }),
  annotations: { ...object('advanced', {}), check: checkAnnotations },
  // Credentials are write-only, and the order is changed in the list of tools.
} satisfies Record<Exclude<keyof NewTool, 'auth_credentials' | 'sort_order'>, object>;

type FieldName = keyof typeof toolFields;

/** Names of the fields that have a control. */
export type PlainName = {
  [Name in FieldName]: (typeof toolFields)[Name] extends PlainField ? Name : never;
}[FieldName];

export type FieldInputs = { [Name in FieldName]: (typeof toolFields)[Name]['empty'] };

const fields: { [Name in FieldName]: EditorField<FieldInputs[Name]> } = toolFields;

// Object.keys and Object.fromEntries do not preserve the names in their types.
export const fieldNames = Object.keys(toolFields) as FieldName[];
const mapFields = (convert: (name: FieldName) => FieldInputs[FieldName]) =>
  Object.fromEntries(fieldNames.map((name) => [name, convert(name)])) as FieldInputs;

export const emptyInputs = mapFields((name) => fields[name].empty);

export function readInputs(tool: Tool): FieldInputs {
  return mapFields((name) => fields[name].read(tool[name]));
}

export function checkInput<Name extends FieldName>(inputs: FieldInputs, name: Name): CheckedInput {
  return fields[name].check(inputs[name]);
}

const tabByField: Record<string, TabId | undefined> = {
  ...Object.fromEntries(fieldNames.map((name) => [name, fields[name].tab])),
  parameters: 'parameters',
  auth_credentials: 'authentication',
};

/** Names that an error can have; see ToolRequest. */
export const errorFields: readonly string[] = Object.keys(tabByField);

export function findInvalidTabs(errors: Record<string, string>): Set<TabId | undefined> {
  return new Set(Object.keys(errors).map((field) => tabByField[field]));
}

/** The plain fields of a tab: those with JSON text, or all others. */
export function plainNames(tab: PlainTab, hasJson: boolean): PlainName[] {
  const isPlain = (name: FieldName): name is PlainName => 'control' in toolFields[name];
  return fieldNames
    .filter(isPlain)
    .filter((name) => toolFields[name].tab === tab && 'minLines' in toolFields[name].control === hasJson);
}

function checkInteger(input: string): CheckedInput {
  return /^\d{1,15}$/.test(input.trim()) ? { value: Number(input) } : { error: 'Enter a whole number.' };
}

function splitTags(text: string): string[] {
  return text
    .split('\n')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Checks the text of an optional JSON object. */
export function checkObject(input: string): CheckedInput {
  const parsed = input.trim() === '' ? { json: null } : parseJson(input);
  if (!parsed) return { error: 'This is not valid JSON.' };
  const isValid = parsed.json === null || isObject(parsed.json);
  return isValid ? { value: parsed.json } : { error: 'Enter a JSON object: { … }' };
}

/** A header name must not occur twice: one value would silently replace the other. */
function checkHeaders(pairs: readonly HeaderPair[]): CheckedInput {
  const names = pairs.map(({ name }) => name.trim()).filter((name) => name !== '');
  const lowerCaseNames = names.map((name) => name.toLowerCase());
  const duplicate = names.find((name, index) => lowerCaseNames.indexOf(name.toLowerCase()) !== index);
  return duplicate === undefined ? { value: toHeaders(pairs) } : { error: `headers[${duplicate}] is set twice.` };
}

function checkAnnotations(annotations: JsonObject): CheckedInput {
  return { value: Object.keys(annotations).length > 0 ? annotations : null };
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
