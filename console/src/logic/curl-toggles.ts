/** Turns an imported curl command into rows that can be toggled between fixed and argument, and the rows into a tool. */
import type { CurlDraft, Mapping, RequestParts, ValueRow } from './curl-draft';
import { nameOfPair } from './curl-rows';
import { isRawNumber } from './exact-json';
import { isObject, type JsonObject } from './json';
import { type JsonType, toType, valueText, valueTexts } from './json-types';
import { encode, fillSlots, joinUrl, splitUrl } from './url-parts';

export { applyEdits, rowsOf } from './curl-rows';

/** The tool that the rows describe. Rows that nobody touched give back what the importer said, letter by letter. */
export function toolOf(draft: CurlDraft, rows: readonly ValueRow[]): RequestParts {
  return {
    endpoint_url: urlOf(draft, rows),
    headers: headersOf(draft, rows),
    ...argumentsOf(draft, rows),
  };
}

/** Arguments with which the tool sends what was pasted. */
export function exampleArguments(rows: readonly ValueRow[]): JsonObject {
  const given = rows.filter((row) => row.mode === 'argument' || mustBeSent(row));
  const entries = given.map((row) => [row.argument, exampleOf(row)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** What is wrong with the names of arguments, by row. */
export function nameFaults(rows: readonly ValueRow[]): Record<string, string> {
  const shown = rows.filter(({ mode, location }) => mode === 'argument' || location === 'body');
  const faults = shown.flatMap((row) => {
    const fault = faultOfName(row, shown);
    return fault === undefined || row.mode === 'fixed' ? [] : [[row.id, fault] as const];
  });
  return Object.fromEntries(faults);
}

function faultOfName(row: ValueRow, others: readonly ValueRow[]): string | undefined {
  const { argument, origin } = row;
  if (argument === '') return 'An argument needs a name.';
  if (others.some((other) => other !== row && other.argument === argument)) return 'Another argument has this name.';
  const isPlaceholder = origin.kind === 'slot' || origin.kind === 'segment';
  if (isPlaceholder && !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(argument)) {
    return 'In the address, a name is letters, digits, _ and -, and begins with no digit.';
  }
  return undefined;
}

function urlOf(draft: CurlDraft, rows: readonly ValueRow[]): string {
  const { base, segments, pairs } = splitUrl(draft.endpoint_url);
  const fill = (text: string) => fillSlots(text, (name) => slotText(rows, name));
  const kept = (pairs ?? []).filter((pair) => !isArgument(rows, 'pairs', nameOfPair(pair))).map(fill);
  const added = rows
    .filter(({ origin, location, mode }) => origin.kind === 'argument' && location === 'query' && mode === 'fixed')
    .flatMap(({ label, value }) => valueTexts(value).map((text) => `${encode(label)}=${encode(text)}`));
  return joinUrl({
    base: fill(base),
    segments: segments.map((segment, index) => segmentText(rows, index) ?? fill(segment)),
    pairs: [...kept, ...added],
  });
}

function segmentText(rows: readonly ValueRow[], index: number): string | undefined {
  const row = rows.find(({ origin }) => origin.kind === 'segment' && origin.index === index);
  return row?.mode === 'argument' ? `{${row.argument}}` : undefined;
}

function slotText(rows: readonly ValueRow[], name: string): string {
  const row = rows.find(({ origin }) => origin.kind === 'slot' && origin.name === name);
  if (!row) return `{${name}}`;
  return row.mode === 'argument' ? `{${row.argument}}` : encode(valueText(row.value));
}

function isArgument(rows: readonly ValueRow[], kind: 'pairs' | 'header', name: string): boolean {
  return rows.some(({ origin, mode }) => origin.kind === kind && origin.name === name && mode === 'argument');
}

function headersOf(draft: CurlDraft, rows: readonly ValueRow[]): Record<string, string> {
  const kept = Object.entries(draft.headers).filter(([name]) => !isArgument(rows, 'header', name));
  const added = rows
    .filter(({ origin, location, mode }) => origin.kind === 'argument' && location === 'header' && mode === 'fixed')
    .map(({ label, value }) => [label, valueText(value)] as const);
  return Object.fromEntries([...kept, ...added]);
}

/** Schema and mapping together, in the order of the importer; what became an argument since comes last. */
function argumentsOf(
  draft: CurlDraft,
  rows: readonly ValueRow[],
): Pick<RequestParts, 'input_schema' | 'parameter_mapping'> {
  const declared = inOrder(draft, rows).filter(({ mode, location }) => mode === 'argument' || location === 'body');
  const properties = declared.map((row) => [row.argument, propertyOf(row)] as const);
  const required = declared.filter((row) => (row.mode === 'argument' ? row.required : mustBeSent(row)));
  const mapping = declared.flatMap((row) => {
    const rule = mappingOf(draft, row);
    return rule ? [[row.argument, rule] as const] : [];
  });
  return {
    input_schema: {
      ...draft.input_schema,
      properties: Object.fromEntries(properties),
      required: required.map(({ argument }) => argument),
    },
    parameter_mapping: Object.fromEntries(mapping),
  };
}

function inOrder(draft: CurlDraft, rows: readonly ValueRow[]): ValueRow[] {
  const names = isObject(draft.input_schema.properties) ? Object.keys(draft.input_schema.properties) : [];
  const places = new Map(names.map((name, place) => [name, place]));
  const placeOf = ({ imported }: ValueRow) =>
    imported.mode === 'argument' ? (places.get(imported.argument) ?? names.length) : names.length;
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function propertyOf(row: ValueRow): JsonObject {
  const { property } = row.imported;
  // A tool has no place for a fixed body: the argument has one value only, and is filled in where it is left out.
  if (row.mode === 'fixed')
    return { ...property, const: row.value, ...(row.value === null ? {} : { default: row.value }) };
  const typed = row.type === undefined || row.type === property.type ? property : withType(property, row.type);
  const before = typeof property.description === 'string' ? property.description : '';
  return row.description === before ? typed : { ...typed, description: row.description };
}

/** What other keywords say was about the type before. */
function withType(property: JsonObject, type: JsonType): JsonObject {
  const value = 'default' in property ? toType(property.default, type) : undefined;
  return {
    type,
    ...(type === 'array' ? { items: {} } : {}),
    ...('description' in property ? { description: property.description } : {}),
    ...(value === undefined ? {} : { default: value }),
  };
}

/** A null is no default to the service, so the model has to send it. */
function mustBeSent(row: ValueRow): boolean {
  return row.mode === 'fixed' && row.location === 'body' && row.value === null;
}

function mappingOf(draft: CurlDraft, row: ValueRow): Mapping | undefined {
  const { argument, imported, origin, location, label } = row;
  if (imported.mode === 'argument' && argument === imported.argument) {
    return Object.hasOwn(draft.parameter_mapping, argument) ? draft.parameter_mapping[argument] : undefined;
  }
  if (origin.kind === 'slot' || origin.kind === 'segment') return { location: 'path' };
  return label === argument ? { location } : { location, name: label };
}

function exampleOf({ type, value, imported }: ValueRow): unknown {
  if (type === undefined || type === imported.property.type || isRawNumber(value)) return value;
  return toType(value, type);
}
