/** The user's edits of import candidates, and their form in the API: the argument `overlay`. */
import type { Candidate } from './api-import';
import { utf8Bytes } from './format';
import { isObject, type JsonObject, parseJson } from './json';

export type ArgumentMode = 'argument' | 'fixed' | 'hidden';

export interface ArgumentEdit {
  mode: ArgumentMode;
  /** The new name; undefined for no change. */
  rename?: string | undefined;
  description?: string | undefined;
  /** The constant, as typed. */
  fixed?: string | undefined;
}

/** Changes to one candidate. An undefined member is no change. */
export interface OperationEdit {
  name?: string | undefined;
  description?: string | undefined;
  /** By location and name in the document: `query:limit`. */
  arguments: Readonly<Record<string, ArgumentEdit>>;
}

/** By operation: `GET /pets/{id}`. */
export type ImportEdits = Readonly<Record<string, OperationEdit>>;

export const noEdit: OperationEdit = { arguments: {} };

/** An argument of a candidate, as the document describes it. */
export interface CandidateArgument {
  /** Key in the overlay. */
  key: string;
  name: string;
  location: string;
  type: string;
  required: boolean;
  description: string;
  schema: JsonObject;
}

/** The arguments in the order of the schema. */
export function candidateArguments({ input_schema, parameter_mapping }: Candidate): CandidateArgument[] {
  const properties = isObject(input_schema.properties) ? input_schema.properties : {};
  const required = Array.isArray(input_schema.required) ? input_schema.required : [];
  return Object.entries(properties).map(([name, property]) => {
    const rule = isObject(parameter_mapping[name]) ? parameter_mapping[name] : {};
    const location = typeof rule.location === 'string' ? rule.location : 'body';
    const wireName = rule.whole === true ? 'body' : typeof rule.name === 'string' ? rule.name : name;
    const schema = isObject(property) ? property : {};
    return {
      key: `${location}:${wireName}`,
      name,
      location,
      type: typeText(schema),
      required: required.includes(name),
      description: typeof schema.description === 'string' ? schema.description : '',
      schema,
    };
  });
}

function typeText(schema: JsonObject): string {
  if (Array.isArray(schema.enum)) return 'choice';
  if (Array.isArray(schema.type)) return schema.type.filter((type) => type !== 'null').join(' or ');
  return typeof schema.type === 'string' ? schema.type : 'any';
}

/** Parses a typed constant: text for a string, else JSON; any text if the type is not fixed. Undefined if invalid. */
export function parseFixed({ type }: Pick<CandidateArgument, 'type'>, text: string): { json: unknown } | undefined {
  if (type === 'string') return { json: text };
  const parsed = parseJson(text);
  if (parsed && parsed.json !== null) return parsed;
  return type === 'choice' || type === 'any' ? { json: text } : undefined;
}

/** Why an edit cannot be applied, by argument key. */
export function editErrors(candidate: Candidate, edit: OperationEdit): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const argument of candidateArguments(candidate)) {
    const change = edit.arguments[argument.key];
    if (change?.mode === 'hidden' && argument.required)
      errors[argument.key] = 'The API requires this. Give it a fixed value, or keep it as an argument.';
    if (change?.mode !== 'fixed') continue;
    if ((change.fixed ?? '') === '') errors[argument.key] = 'Enter the value that every call sends.';
    else if (!parseFixed(argument, change.fixed ?? ''))
      errors[argument.key] = `Enter JSON of the type ${argument.type}.`;
  }
  return errors;
}

/** The edit without values that equal those of the document; undefined if no change is left. */
export function cleanEdit(candidate: Candidate, edit: OperationEdit): OperationEdit | undefined {
  const changed = candidateArguments(candidate).flatMap((argument) => {
    const change = edit.arguments[argument.key];
    if (!change) return [];
    const rename = change.rename === argument.name || change.rename === '' ? undefined : change.rename;
    const description = change.description === argument.description ? undefined : change.description;
    const isUnchanged = change.mode === 'argument' && rename === undefined && description === undefined;
    return isUnchanged ? [] : [[argument.key, { ...change, rename, description }] as const];
  });
  const name = edit.name === candidate.name || edit.name === '' ? undefined : edit.name;
  const description = edit.description === candidate.description ? undefined : edit.description;
  if (name === undefined && description === undefined && changed.length === 0) return undefined;
  return { name, description, arguments: Object.fromEntries(changed) };
}

/** The argument `overlay` of the import. `originals` are the candidates without edits, by operation. */
export function buildOverlay(edits: ImportEdits, originals: Readonly<Record<string, Candidate>>): JsonObject {
  const operations = Object.entries(edits).flatMap(([operation, edit]) => {
    const original = originals[operation];
    return original ? [[operation, operationOverlay(original, edit)] as const] : [];
  });
  return Object.fromEntries(operations);
}

function operationOverlay(original: Candidate, edit: OperationEdit): JsonObject {
  const changes = candidateArguments(original).flatMap((argument) => {
    const change = edit.arguments[argument.key];
    return change ? [[argument.key, argumentOverlay(argument, change)] as const] : [];
  });
  return {
    ...(edit.name === undefined ? {} : { name: edit.name }),
    ...(edit.description === undefined ? {} : { description: edit.description }),
    ...(changes.length === 0 ? {} : { arguments: Object.fromEntries(changes) }),
  };
}

function argumentOverlay(argument: CandidateArgument, change: ArgumentEdit): JsonObject {
  if (change.mode === 'hidden') return { hidden: true };
  if (change.mode === 'fixed') return { fixed: parseFixed(argument, change.fixed ?? '')?.json ?? change.fixed };
  return {
    ...(change.rename === undefined ? {} : { rename: change.rename }),
    ...(change.description === undefined ? {} : { description: change.description }),
  };
}

/** Estimated tokens of the tool after the edit, by the rule of the service: one token for four bytes of JSON. */
export function editedTokens(candidate: Candidate, edit: OperationEdit): number {
  const properties: [string, unknown][] = [];
  const required: string[] = [];
  for (const argument of candidateArguments(candidate)) {
    const change = edit.arguments[argument.key];
    if (change && change.mode !== 'argument') continue;
    const name = change?.rename || argument.name;
    const { description: _, ...schema } = argument.schema;
    const description = change?.description ?? argument.description;
    properties.push([name, description === '' ? schema : { ...schema, description }]);
    if (argument.required) required.push(name);
  }
  const { required: _, ...root } = candidate.input_schema;
  const inputSchema = {
    ...root,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  };
  const entry = {
    name: edit.name || candidate.name,
    description: edit.description ?? candidate.description,
    inputSchema,
  };
  return Math.ceil(utf8Bytes(JSON.stringify(entry)) / 4);
}

/** The errors of the service for one operation, by `name`, `description` or argument key; others have the key ''. */
export function overlayErrors(operation: string, params: Readonly<Record<string, string>>): Record<string, string> {
  const start = `overlay[${operation}]`;
  const errors: Record<string, string> = {};
  for (const [path, message] of Object.entries(params)) {
    if (!path.startsWith(start)) continue;
    const rest = path.slice(start.length);
    const argument = /^\[arguments\]\[(.*?)\](\[[a-z]+\])?$/.exec(rest)?.[1];
    const field = /^\[(name|description)\]$/.exec(rest)?.[1];
    const key = argument ?? field ?? '';
    const text = message.startsWith(path) ? message.slice(path.length).replace(/^:?\s*/, '') : message;
    errors[key] = text.charAt(0).toUpperCase() + text.slice(1);
  }
  return errors;
}
