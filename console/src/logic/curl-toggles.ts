/** Builds a tool from an imported curl command and its rows. Each row is a fixed value or an argument. */
import type { CurlDraft, Mapping, RequestParts, ValueRow } from './curl-draft';
import { nameOfPair } from './curl-rows';
import { isRawNumber } from './exact-json';
import { isObject, type JsonObject } from './json';
import { type JsonType, toType, valueText, valueTexts } from './json-types';
import { isFixed } from './parameters';
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
export function exampleArguments(rows: readonly ValueRow[]): JsonObject {
  const sentRows = rows.filter((row) => row.mode === 'argument' || mustBeSent(row));
  const entries = sentRows.map((row) => [row.argument, exampleOf(row)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Errors in argument names, by row id. */
export function nameErrors(rows: readonly ValueRow[]): Record<string, string> {
  // Fixed body fields are declared as arguments too, so their names are taken.
  const declared = rows.filter(({ mode, location }) => mode === 'argument' || location === 'body');
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
  const unchanged = (pairs ?? []).filter((pair) => !isArgument(rows, 'query', nameOfPair(pair))).map(fill);
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

function isArgument(rows: readonly ValueRow[], kind: 'query' | 'header', name: string): boolean {
  return rows.some(({ origin, mode }) => origin.kind === kind && origin.name === name && mode === 'argument');
}

function headersOf(draft: CurlDraft, rows: readonly ValueRow[]): Record<string, string> {
  const unchanged = Object.entries(draft.headers).filter(([name]) => !isArgument(rows, 'header', name));
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
  const declared = inImportOrder(draft, rows).filter(
    ({ mode, location }) => mode === 'argument' || location === 'body',
  );
  const properties = declared.map((row) => [row.argument, propertyOf(row)] as const);
  const required = declared.filter((row) => (row.mode === 'argument' ? row.required : mustBeSent(row)));
  const mapping = declared.flatMap((row) => {
    const rule = mappingOf(draft, row);
    return rule ? [[row.argument, rule] as const] : [];
  });
  const constants = Object.entries(draft.parameter_mapping).filter(([, rule]) => isFixed(rule));
  return {
    input_schema: {
      ...draft.input_schema,
      properties: Object.fromEntries(properties),
      required: required.map(({ argument }) => argument),
    },
    parameter_mapping: Object.fromEntries([...mapping, ...constants]),
  };
}

function inImportOrder(draft: CurlDraft, rows: readonly ValueRow[]): ValueRow[] {
  const names = isObject(draft.input_schema.properties) ? Object.keys(draft.input_schema.properties) : [];
  const positions = new Map(names.map((name, position) => [name, position]));
  const positionOf = ({ imported }: ValueRow) =>
    imported.mode === 'argument' ? (positions.get(imported.argument) ?? names.length) : names.length;
  return rows.toSorted((one, other) => positionOf(one) - positionOf(other));
}

function propertyOf(row: ValueRow): JsonObject {
  const { property } = row.imported;
  // Tools have no fixed body fields: a `const` argument with a default has the same effect.
  if (row.mode === 'fixed')
    return { ...property, const: row.value, ...(row.value === null ? {} : { default: row.value }) };
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

/** The service ignores a null default, so the model must send the null. */
function mustBeSent(row: ValueRow): boolean {
  return row.mode === 'fixed' && row.location === 'body' && row.value === null;
}

function mappingOf(draft: CurlDraft, row: ValueRow): Mapping | undefined {
  const { argument, imported, origin, location, label } = row;
  const isMapped = imported.mode === 'argument' && Object.hasOwn(draft.parameter_mapping, imported.argument);
  const importedRule = isMapped ? draft.parameter_mapping[imported.argument] : undefined;
  if (imported.mode === 'argument' && argument === imported.argument) return importedRule;
  if (origin.kind === 'placeholder' || origin.kind === 'segment') return { location: 'path' };
  const rule = label === argument ? { location } : { location, name: label };
  return importedRule?.parent === undefined ? rule : { ...rule, parent: importedRule.parent };
}

function exampleOf({ type, value, imported }: ValueRow): unknown {
  if (type === undefined || type === imported.property.type || isRawNumber(value)) return value;
  return toType(value, type);
}
