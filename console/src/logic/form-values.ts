/** What somebody typed into a form of a schema, and the JSON that it stands for. */
import { exactNumber, isRawNumber } from './exact-json';
import { isObject, parseJson, prettyJson, sameJson } from './json';
import type { FormField, GroupField, NamedField } from './schema-form';

/**
 * A field's value as it stands in the form; undefined is left out. Numbers and JSON are text, so that half a number is
 * kept as it was typed; a choice is the JSON text of its option.
 */
export type FormValue = string | boolean | undefined | readonly FormValue[] | { readonly [name: string]: FormValue };

export interface FormResult {
  /** Undefined is left out. */
  json: unknown;
  /** What cannot be read, by where it stands: `arguments[city]`, as the API spells it. */
  faults: Record<string, string>;
}

export function pathOf(parent: string, name: string | number): string {
  return `${parent}[${name}]`;
}

/** The form as it starts: what the schema suggests for what is required, the rest left out. */
export function startValue(field: FormField): FormValue {
  if (field.suggestion !== undefined && field.required) {
    const suggested = toForm(field, field.suggestion);
    if (suggested) return suggested.value;
  }
  if (!field.required) return undefined;
  if (field.kind === 'group') return fromEntries(field.fields, startValue);
  if (field.kind === 'choice' && field.options.length === 1) return JSON.stringify(field.options[0]);
  if (field.kind === 'boolean') return false;
  if (field.kind === 'list') return [];
  return undefined;
}

/** JSON in the form; undefined where the form cannot say it, and would lose something. */
export function toForm(field: FormField, json: unknown): { value: FormValue } | undefined {
  switch (field.kind) {
    case 'json':
      return { value: prettyJson(json) };
    case 'choice':
      return field.options.some((option) => sameJson(option, json)) ? { value: JSON.stringify(json) } : undefined;
    case 'text':
      // Nothing typed is left out; so an empty text can only be told where it must be there.
      return typeof json === 'string' && (json !== '' || field.required) ? { value: json } : undefined;
    case 'number':
      return typeof json === 'number' || isRawNumber(json) ? { value: JSON.stringify(json) } : undefined;
    case 'boolean':
      return typeof json === 'boolean' ? { value: json } : undefined;
    case 'list':
      return Array.isArray(json) && (json.length > 0 || field.required) ? listToForm(field.item, json) : undefined;
    case 'group':
      return isObject(json) ? groupToForm(field, json) : undefined;
  }
}

function listToForm(item: FormField, json: readonly unknown[]): { value: FormValue } | undefined {
  const items = json.map((entry) => toForm(item, entry));
  return items.every((entry) => entry !== undefined) ? { value: items.map(({ value }) => value) } : undefined;
}

function groupToForm(group: GroupField, json: Record<string, unknown>): { value: FormValue } | undefined {
  const known = new Map(group.fields.map(({ name, field }) => [name, field]));
  const value: [string, FormValue][] = [];
  for (const [name, part] of Object.entries(json)) {
    const field = known.get(name);
    const inner = field && toForm(field, part);
    if (!inner) return undefined;
    value.push([name, inner.value]);
  }
  // An optional group of nothing would be left out.
  return value.length > 0 || group.required ? { value: Object.fromEntries(value) } : undefined;
}

/** The JSON that the form stands for. What is wrong by the schema is for the API to tell; here it must only be readable. */
export function fromForm(field: FormField, value: FormValue, path = 'arguments'): FormResult {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' && value !== '' ? good(value) : good(field.required ? '' : undefined);
    case 'number':
      return numberFrom(field, typeof value === 'string' ? value.trim() : '', path);
    case 'boolean':
      return good(typeof value === 'boolean' ? value : field.required ? false : undefined);
    case 'choice':
    case 'json':
      return jsonFrom(field, typeof value === 'string' ? value.trim() : '', path);
    case 'list':
      return listFrom(field, Array.isArray(value) ? value : [], path);
    case 'group':
      return groupFrom(field, isGroup(value) ? value : {}, path);
  }
}

function numberFrom(field: FormField & { kind: 'number' }, text: string, path: string): FormResult {
  if (text === '') return missing(field, path);
  const rounded = Number(text);
  if (!Number.isFinite(rounded)) return bad(path, 'This is not a number.');
  if (field.integer && !Number.isInteger(rounded)) return bad(path, 'This is not a whole number.');
  const number = exactNumber(text);
  return number === undefined ? bad(path, 'This number is too long to be sent exactly.') : good(number);
}

function jsonFrom(field: FormField, text: string, path: string): FormResult {
  if (text === '') return missing(field, path);
  const parsed = parseJson(text);
  return parsed ? good(parsed.json) : bad(path, 'This is not JSON.');
}

function listFrom(field: FormField & { kind: 'list' }, items: readonly FormValue[], path: string): FormResult {
  const results = items.map((item, index) => fromForm(field.item, item, pathOf(path, index)));
  const json = results.map((result) => result.json);
  return { json: json.length > 0 || field.required ? json : undefined, faults: merged(results) };
}

function groupFrom(group: GroupField, values: { readonly [name: string]: FormValue }, path: string): FormResult {
  const parts = group.fields.map(({ name, field }) => ({
    name,
    // A required field of an optional group counts once something of the group is there.
    result: fromForm(field, own(values, name), pathOf(path, name)),
  }));
  if (!group.required && group.fields.every(({ name }) => isBlank(own(values, name)))) return good(undefined);
  const there = parts.filter(({ result }) => result.json !== undefined);
  return {
    json: Object.fromEntries(there.map(({ name, result }) => [name, result.json])),
    faults: merged(parts.map(({ result }) => result)),
  };
}

function isBlank(value: FormValue): boolean {
  if (value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isGroup(value) && Object.values(value).every(isBlank);
}

export function isGroup(value: FormValue): value is { readonly [name: string]: FormValue } {
  return typeof value === 'object' && !Array.isArray(value);
}

function own(values: { readonly [name: string]: FormValue }, name: string): FormValue {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function fromEntries(fields: readonly NamedField[], value: (field: FormField) => FormValue): FormValue {
  return Object.fromEntries(fields.map(({ name, field }) => [name, value(field)]));
}

function merged(results: readonly FormResult[]): Record<string, string> {
  return Object.assign({}, ...results.map(({ faults }) => faults));
}

const good = (json: unknown): FormResult => ({ json, faults: {} });
const bad = (path: string, fault: string): FormResult => ({ json: undefined, faults: { [path]: fault } });
const missing = (field: FormField, path: string): FormResult =>
  field.required ? bad(path, 'This is required.') : good(undefined);
