/** The editor's form of a tool, and the request that saves it. */
import type { Tool } from '../api/types';
import { type Credentials, credentialsOf } from './credentials';
import { isSameJson, type JsonObject, prettyJson } from './json';
import { checkInput, checkObject, emptyInputs, type FieldInputs, fieldNames, readInputs } from './tool-fields';

/** The inputs by API field name, and input that has no API field. */
export interface ToolForm extends FieldInputs {
  /** The schema text as typed. It may be invalid; `input_schema` is then the last valid one. */
  schemaText: string;
  /** Text in cells of the parameter table that is not valid yet, by parameter and column; see parameter-form.ts. */
  pending: Readonly<Record<string, string>>;
  /** New credentials; stored ones are never sent to the console. */
  credentials: Credentials;
  /** Replace the stored credentials with the typed ones. */
  replaceCredentials: boolean;
}

/** Initial values of a new tool: the API's defaults, except for `shaping`. */
export const emptyTool = withInputs(emptyInputs);

export function toToolForm(tool: Tool): ToolForm {
  return withInputs(readInputs(tool));
}

function withInputs(inputs: FieldInputs): ToolForm {
  const schemaText = prettyJson(inputs.input_schema);
  return { ...inputs, schemaText, pending: {}, credentials: {}, replaceCredentials: false };
}

export interface ToolRequest {
  /** By API field name. */
  body: JsonObject;
  /** Errors found in the console, by API field name; `parameters` for the parameter table. */
  errors: Record<string, string>;
}

/**
 * Includes only fields that differ from `saved`, so that concurrent changes are not overwritten. `saved` is undefined
 * for a new tool.
 */
export function buildToolRequest(form: ToolForm, saved: ToolForm | undefined): ToolRequest {
  const base = saved ?? emptyTool;
  const request = fieldsOf(form);
  const savedBody = fieldsOf(base).body;
  const changed = Object.entries(request.body).filter(([field, value]) => !isSameField(value, savedBody[field]));
  const body: JsonObject = Object.fromEntries(changed);
  if (!saved) {
    // Two fields are required; the initial value of `shaping` differs from the API's default.
    Object.assign(body, { name: form.name, endpoint_url: form.endpoint_url, shaping: request.body.shaping });
  }
  if (sendsCredentials(form, base)) body.auth_credentials = credentialsOf(form.auth_type, form.credentials);
  return { body, errors: request.errors };
}

/** Whether the request includes credentials. */
export function sendsCredentials(form: ToolForm, saved: ToolForm): boolean {
  if (form.auth_type === 'none' || form.credential !== '') return false;
  return form.auth_type !== saved.auth_type || form.replaceCredentials || saved.credential !== '';
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
  const body: JsonObject = {};
  const errors: Record<string, string> = {};
  for (const name of fieldNames) {
    const checked = checkInput(form, name);
    if ('error' in checked) errors[name] = checked.error;
    else body[name] = checked.value;
  }
  // The request uses the last valid schema, so an invalid text must be reported here.
  const schemaText = checkObject(form.schemaText);
  if ('error' in schemaText) errors.input_schema = schemaText.error;
  if (Object.keys(form.pending).length > 0) errors.parameters = 'Correct the marked cells first.';
  return { body, errors };
}
