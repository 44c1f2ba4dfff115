/** Builds a tool from an imported curl command and its rows. Each row is a fixed value, an argument or left out. */
import type { CurlDraft, Mapping, RequestParts, ValueRow } from './curl-draft';
import { nameOfPair } from './curl-rows';
import { isRawNumber } from './exact-json';
import { isObject, type JsonObject } from './json';
import { type JsonType, toType, valueText, valueTexts } from './json-types';
import { encode, fillPlaceholders, joinUrl, splitUrl } from './url-parts';

export { applyEdits, rowsOf } from './curl-rows';

/** The tool that the rows describe. Unchanged rows reproduce the importer's draft exactly. */
export function toolOf(draft: CurlDraft, rows: readonly ValueRow[]): RequestParts {
  return {
    endpoint_url: urlOf(draft, rows),
    headers: headersOf(draft, rows),
    ...argumentsOf(draft, rows),
  };
}

/** Arguments that reproduce the pasted request. */
export function pastedArguments(rows: readonly ValueRow[]): JsonObject {
  const entries = rows.filter(({ mode }) => mode === 'argument').map((row) => [row.argument, exampleOf(row)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Errors in argument names, by row id. */
export function nameErrors(rows: readonly ValueRow[]): Record<string, string> {
  const declared = rows.filter((row) => row.mode === 'argument' || isConstant(row));
  const errors = declared.flatMap((row) => {
    const error = nameError(row, declared);
    return error === undefined || row.mode === 'fixed' ? [] : [[row.id, error] as const];
  });
  return Object.fromEntries(errors);
}

function nameError(row: ValueRow, others: readonly ValueRow[]): string | undefined {
  const { argument, origin } = row;
  if (argument === '') return 'Enter a name.';
  if (others.some((other) => other !== row && other.argument === argument))
    return 'Another argument already has this name.';
  const isPlaceholder = origin.kind === 'placeholder' || origin.kind === 'segment';
  if (isPlaceholder && !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(argument)) {
    return 'In the URL, start the name with a letter or _, and use only letters, digits, _ and -.';
  }
  return undefined;
}

function urlOf(draft: CurlDraft, rows: readonly ValueRow[]): string {
  const { base, segments, pairs } = splitUrl(draft.endpoint_url);
  const fill = (text: string) => fillPlaceholders(text, (name) => placeholderText(rows, name));
  const unchanged = (pairs ?? []).filter((pair) => isUnchanged(rows, 'query', nameOfPair(pair))).map(fill);
  const added = rows
    .filter(({ origin, location, mode }) => origin.kind === 'argument' && location === 'query' && mode === 'fixed')
    .flatMap(({ label, value }) => valueTexts(value).map((text) => `${encode(label)}=${encode(text)}`));
  return joinUrl({
    base: fill(base),
    segments: segments.map((segment, index) => segmentText(rows, index) ?? fill(segment)),
    pairs: [...unchanged, ...added],
  });
}

function segmentText(rows: readonly ValueRow[], index: number): string | undefined {
  const row = rows.find(({ origin }) => origin.kind === 'segment' && origin.index === index);
  return row?.mode === 'argument' ? `{${row.argument}}` : undefined;
}

function placeholderText(rows: readonly ValueRow[], name: string): string {
  const row = rows.find(({ origin }) => origin.kind === 'placeholder' && origin.name === name);
  if (!row) return `{${name}}`;
  return row.mode === 'argument' ? `{${row.argument}}` : encode(valueText(row.value));
}

/** Whether the query parameter or header stays where the command has it. */
function isUnchanged(rows: readonly ValueRow[], kind: 'query' | 'header', name: string): boolean {
  return !rows.some(({ origin, mode }) => origin.kind === kind && origin.name === name && mode !== 'fixed');
}

function headersOf(draft: CurlDraft, rows: readonly ValueRow[]): Record<string, string> {
  const unchanged = Object.entries(draft.headers).filter(([name]) => isUnchanged(rows, 'header', name));
  const added = rows
    .filter(({ origin, location, mode }) => origin.kind === 'argument' && location === 'header' && mode === 'fixed')
    .map(({ label, value }) => [label, valueText(value)] as const);
  return Object.fromEntries([...unchanged, ...added]);
}

/** Schema and mapping, in the importer's order; new arguments come last. */
function argumentsOf(
  draft: CurlDraft,
  rows: readonly ValueRow[],
): Pick<RequestParts, 'input_schema' | 'parameter_mapping'> {
  const properties = isObject(draft.input_schema.properties) ? draft.input_schema.properties : {};
  const declared = inOrder(properties, rows).filter(({ mode }) => mode === 'argument');
  const mapped = inOrder(draft.parameter_mapping, inOrder(properties, rows)).flatMap((row) => {
    const rule = mappingOf(draft, row);
    return rule ? [[row.argument, rule] as const] : [];
  });
  return {
    input_schema: {
      ...draft.input_schema,
      properties: Object.fromEntries(declared.map((row) => [row.argument, propertyOf(row)])),
      required: declared.filter(({ required }) => required).map(({ argument }) => argument),
    },
    parameter_mapping: Object.fromEntries(mapped),
  };
}

/** The rows in the order of the keys; rows without a key come last. */
function inOrder(keys: JsonObject | Record<string, Mapping>, rows: readonly ValueRow[]): ValueRow[] {
  const names = Object.keys(keys);
  const positions = new Map(names.map((name, position) => [name, position]));
  const positionOf = ({ imported, origin }: ValueRow) =>
    imported.mode === 'argument' || origin.kind === 'constant'
      ? (positions.get(imported.argument) ?? names.length)
      : names.length;
  return rows.toSorted((one, other) => positionOf(one) - positionOf(other));
}

function propertyOf(row: ValueRow): JsonObject {
  const { property } = row.imported;
  const typed = row.type === undefined || row.type === property.type ? property : withType(property, row.type);
  const importedDescription = typeof property.description === 'string' ? property.description : '';
  return row.description === importedDescription ? typed : { ...typed, description: row.description };
}

/** Drops the other keywords, which applied to the previous type. */
function withType(property: JsonObject, type: JsonType): JsonObject {
  const value = 'default' in property ? toType(property.default, type) : undefined;
  return {
    type,
    ...(type === 'array' ? { items: {} } : {}),
    ...('description' in property ? { description: property.description } : {}),
    ...(value === undefined ? {} : { default: value }),
  };
}

/** Whether the mapping has the value itself. Fixed values of the query and the headers are part of these instead. */
function isConstant({ mode, location, origin }: ValueRow): boolean {
  return mode === 'fixed' && (location === 'body' || origin.kind === 'constant');
}

function mappingOf(draft: CurlDraft, row: ValueRow): Mapping | undefined {
  const rule = row.mode === 'argument' || isConstant(row) ? ruleOf(draft, row) : undefined;
  return rule && isConstant(row) ? { ...rule, value: row.value } : rule;
}

/** Where the value is sent; undefined for an argument that the importer did not map. */
function ruleOf(draft: CurlDraft, row: ValueRow): Mapping | undefined {
  const { argument, imported, origin, location, label, parent } = row;
  const isImported = imported.mode === 'argument' || origin.kind === 'constant';
  const isMapped = isImported && Object.hasOwn(draft.parameter_mapping, imported.argument);
  const importedRule = isMapped ? draft.parameter_mapping[imported.argument] : undefined;
  if (isImported && argument === imported.argument) {
    if (importedRule) return withoutValue(importedRule);
    if (row.mode === 'argument') return undefined;
  }
  if (origin.kind === 'placeholder' || origin.kind === 'segment') return { location: 'path' };
  const rule = label === argument ? { location } : { location, name: label };
  return parent === undefined ? rule : { ...rule, parent };
}

function withoutValue({ value: _, ...rule }: Mapping): Mapping {
  return rule;
}

function exampleOf({ type, value, imported }: ValueRow): unknown {
  if (type === undefined || type === imported.property.type || isRawNumber(value)) return value;
  return toType(value, type);
}
