/** Converts between the values of a schema form and JSON. */
import { exactNumber, isRawNumber } from './exact-json';
import { isObject, isSameJson, parseJson, prettyJson } from './json';
import type { FormField, GroupField, NamedField } from './schema-form';

/**
 * A field's value in the form; undefined is omitted from the JSON. Numbers and JSON are text, so that incomplete input
 * is preserved; a choice is the JSON text of its option.
 */
export type FormValue = string | boolean | undefined | readonly FormValue[] | { readonly [name: string]: FormValue };

export interface FormResult {
  /** Undefined if the value is omitted. */
  json: unknown;
  /** Errors by path, in the notation of the API: `arguments[city]`. */
  errors: Record<string, string>;
}

export function pathOf(parent: string, name: string | number): string {
  return `${parent}[${name}]`;
}

/** The initial form: suggested values for required fields, the rest omitted. */
export function initialValue(field: FormField): FormValue {
  if (field.suggestion !== undefined && field.required) {
    const suggested = toForm(field, field.suggestion);
    if (suggested) return suggested.value;
  }
  if (!field.required) return undefined;
  if (field.kind === 'group') return valuesByName(field.fields, initialValue);
  if (field.kind === 'choice' && field.options.length === 1) return JSON.stringify(field.options[0]);
  if (field.kind === 'boolean') return false;
  if (field.kind === 'list') return [];
  return undefined;
}

/** Converts JSON to form values; undefined if the form cannot represent it without loss. */
export function toForm(field: FormField, json: unknown): { value: FormValue } | undefined {
  switch (field.kind) {
    case 'json':
      return { value: prettyJson(json) };
    case 'choice':
      return field.options.some((option) => isSameJson(option, json)) ? { value: JSON.stringify(json) } : undefined;
    case 'text':
      // Empty input is omitted, so '' is representable only in a required field.
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
  const fieldsByName = new Map(group.fields.map(({ name, field }) => [name, field]));
  const value: [string, FormValue][] = [];
  for (const [name, part] of Object.entries(json)) {
    const field = fieldsByName.get(name);
    const inner = field && toForm(field, part);
    if (!inner) return undefined;
    value.push([name, inner.value]);
  }
  // An empty optional group would be omitted.
  return value.length > 0 || group.required ? { value: Object.fromEntries(value) } : undefined;
}

/** Converts form values to JSON. Only parses: the API validates against the schema. */
export function fromForm(field: FormField, value: FormValue, path = 'arguments'): FormResult {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' && value !== '' ? ok(value) : ok(field.required ? '' : undefined);
    case 'number':
      return numberFrom(field, typeof value === 'string' ? value.trim() : '', path);
    case 'boolean':
      return ok(typeof value === 'boolean' ? value : field.required ? false : undefined);
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
  if (!Number.isFinite(rounded)) return invalid(path, 'This is not a number.');
  if (field.integer && !Number.isInteger(rounded)) return invalid(path, 'This is not a whole number.');
  const number = exactNumber(text);
  return number === undefined ? invalid(path, 'This number has too many digits to be sent exactly.') : ok(number);
}

function jsonFrom(field: FormField, text: string, path: string): FormResult {
  if (text === '') return missing(field, path);
  const parsed = parseJson(text);
  return parsed ? ok(parsed.json) : invalid(path, 'This is not valid JSON.');
}

function listFrom(field: FormField & { kind: 'list' }, items: readonly FormValue[], path: string): FormResult {
  const results = items.map((item, index) => fromForm(field.item, item, pathOf(path, index)));
  const json = results.map((result) => result.json);
  return { json: json.length > 0 || field.required ? json : undefined, errors: mergeErrors(results) };
}

function groupFrom(group: GroupField, values: { readonly [name: string]: FormValue }, path: string): FormResult {
  const parts = group.fields.map(({ name, field }) => ({
    name,
    // Required fields of an optional group apply once any field of the group is filled.
    result: fromForm(field, getOwn(values, name), pathOf(path, name)),
  }));
  if (!group.required && group.fields.every(({ name }) => isBlank(getOwn(values, name)))) return ok(undefined);
  const present = parts.filter(({ result }) => result.json !== undefined);
  return {
    json: Object.fromEntries(present.map(({ name, result }) => [name, result.json])),
    errors: mergeErrors(parts.map(({ result }) => result)),
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

function getOwn(values: { readonly [name: string]: FormValue }, name: string): FormValue {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function valuesByName(fields: readonly NamedField[], getValue: (field: FormField) => FormValue): FormValue {
  return Object.fromEntries(fields.map(({ name, field }) => [name, getValue(field)]));
}

function mergeErrors(results: readonly FormResult[]): Record<string, string> {
  return Object.assign({}, ...results.map(({ errors }) => errors));
}

const ok = (json: unknown): FormResult => ({ json, errors: {} });
const invalid = (path: string, error: string): FormResult => ({ json: undefined, errors: { [path]: error } });
const missing = (field: FormField, path: string): FormResult =>
  field.required ? invalid(path, 'This is required.') : ok(undefined);
