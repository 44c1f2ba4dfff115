/** Lists every value of an imported request as a row: path segments, query parameters, headers, body fields. */
import { suggestName, uniqueName } from './argument-names';
import type { CurlDraft, Mapping, RowEdit, ValueLocation, ValueMode, ValueOrigin, ValueRow } from './curl-draft';
import { isObject, type JsonObject } from './json';
import { isJsonType, jsonTypeOf, valueText } from './json-types';
import { isFixed } from './parameters';
import { placeholderNames, readPair, readSegment, splitUrl } from './url-parts';

/** Longer values do not become the default of an argument. */
const defaultLengthMax = 64;

/** The rows in request order, as imported. */
export function rowsOf(draft: CurlDraft): ValueRow[] {
  const rows = [...pathRows(draft), ...queryRows(draft), ...headerRows(draft), ...bodyRows(draft)];
  const taken = new Set([...Object.keys(propertiesOf(draft)), ...Object.keys(draft.parameter_mapping)]);
  const ids = new Set<string>();
  return rows.map((row) => {
    const id = uniqueName(row.id, ids);
    ids.add(id);
    if (row.imported.mode === 'argument' || row.origin.kind === 'constant') return { ...row, id };
    const argument = uniqueName(row.argument, taken);
    taken.add(argument);
    return { ...row, id, argument, imported: { ...row.imported, argument } };
  });
}

export function applyEdits(rows: readonly ValueRow[], edits: Readonly<Record<string, RowEdit>>): ValueRow[] {
  return rows.map((row) => {
    const edited = { ...row, ...edits[row.id] };
    return row.modes.includes(edited.mode) ? edited : { ...edited, mode: row.mode };
  });
}

export function propertiesOf(draft: CurlDraft): JsonObject {
  return isObject(draft.input_schema.properties) ? draft.input_schema.properties : {};
}

/** Whether values of this name are masked. For headers, this is the rule by which the service encrypts values. */
export function isSecretName(name: string, location: ValueLocation): boolean {
  if (location === 'header') return /cookie|authorization|token|secret|key|password|credential/i.test(name);
  return /passw(or)?d|secret|token|api[-_]?key|credential/i.test(name);
}

function pathRows(draft: CurlDraft): ValueRow[] {
  const { base, segments } = splitUrl(draft.endpoint_url);
  const rows = placeholderRows(draft, base, 'path');
  segments.forEach((segment, index) => {
    if (segment.includes('{')) rows.push(...placeholderRows(draft, segment, 'path'));
    else if (segment !== '') rows.push(segmentRow(segment, index, segments[index - 1]));
  });
  // A `..` segment would remove the segment before it, and with it the argument.
  const hasDotSegments = segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  return uniqueRows(
    hasDotSegments
      ? rows.map((row) => ({
          ...row,
          modes: [row.mode],
          lockReason: 'Path values cannot switch between fixed and argument while the path contains . or .. segments.',
        }))
      : rows,
  );
}

function segmentRow(segment: string, index: number, previousSegment: string | undefined): ValueRow {
  const text = readSegment(segment);
  // Numbers up to 15 digits are exact in JavaScript.
  const isNumber = text !== undefined && /^(0|[1-9]\d{0,14})$/.test(text);
  return literalRow({
    id: `path:${index}`,
    origin: { kind: 'segment', index },
    location: 'path',
    label: text ?? segment,
    value: isNumber ? Number(text) : (text ?? segment),
    name: suggestName(text ?? segment, previousSegment?.includes('{') ? undefined : previousSegment),
    property: { type: isNumber ? 'integer' : 'string' },
    lockReason: text === undefined ? 'This is not valid UTF-8 text, so it cannot be an argument.' : undefined,
  });
}

/** Rows for the placeholders of a text. Placeholders without an argument are skipped. */
function placeholderRows(draft: CurlDraft, text: string, location: ValueLocation): ValueRow[] {
  return placeholderNames(text).flatMap((name) => {
    const argument = argumentOfPlaceholder(draft, name);
    if (argument === undefined) return [];
    return [
      { ...argumentRow(draft, argument, { kind: 'placeholder', name }, location, name), id: `placeholder:${name}` },
    ];
  });
}

function queryRows(draft: CurlDraft): ValueRow[] {
  const rows: ValueRow[] = [];
  const pairs = new Map<string, string[]>();
  for (const pair of splitUrl(draft.endpoint_url).pairs ?? []) {
    if (pair.includes('{')) rows.push(...placeholderRows(draft, pair, 'query'));
    else if (pair !== '') pairs.set(nameOfPair(pair), [...(pairs.get(nameOfPair(pair)) ?? []), pair]);
  }
  const pathPlaceholders = new Set(placeholderNames(draft.endpoint_url.split('?', 1)[0] ?? ''));
  const placeholders = uniqueRows(rows).filter(({ label }) => !pathPlaceholders.has(label));
  return [...placeholders, ...[...pairs].map(([name, texts]) => pairRow(name, texts)), ...mappedRows(draft, 'query')];
}

/** The name of a query pair: decoded, or raw if the pair cannot be decoded. */
export function nameOfPair(pair: string): string {
  return readPair(pair)?.name ?? pair.split('=', 1)[0] ?? '';
}

function pairRow(name: string, pairs: readonly string[]): ValueRow {
  const values = pairs.map((pair) => readPair(pair)?.value);
  const isList = pairs.length > 1;
  return literalRow({
    id: `query:${name}`,
    origin: { kind: 'query', name },
    location: 'query',
    label: name,
    value: isList ? values : (values[0] ?? pairs[0]),
    name: suggestName(name.replace(/\[\]$/, '')),
    property: isList ? { type: 'array', items: { type: 'string' } } : { type: 'string' },
    lockReason: values.includes(undefined) ? 'This is not valid UTF-8 text, so it cannot be an argument.' : undefined,
  });
}

function headerRows(draft: CurlDraft): ValueRow[] {
  const literals = Object.entries(draft.headers).map(([name, value]) =>
    literalRow({
      id: `header:${name.toLowerCase()}`,
      origin: { kind: 'header', name },
      location: 'header',
      label: name,
      value,
      name: suggestName(name),
      property: { type: 'string' },
      lockReason: forbiddenHeaders.has(name.toLowerCase()) ? 'This header cannot be an argument.' : undefined,
    }),
  );
  return [...literals, ...mappedRows(draft, 'header')];
}

/** Headers that the service does not accept from arguments (`FORBIDDEN_HEADERS`), and the body's content type. */
const forbiddenHeaders = new Set(
  (
    'host content-length transfer-encoding connection upgrade te trailer cookie authorization proxy-authorization ' +
    'proxy-connection keep-alive expect accept-encoding set-cookie content-type'
  ).split(' '),
);

function bodyRows(draft: CurlDraft): ValueRow[] {
  return mappedRows(draft, 'body');
}

/** Rows for the arguments and constants of one location. */
function mappedRows(draft: CurlDraft, location: ValueLocation): ValueRow[] {
  return [...argumentRows(draft, location), ...constantRows(draft, location)];
}

/** Rows for the constants of one location. */
function constantRows(draft: CurlDraft, location: ValueLocation): ValueRow[] {
  const constants = Object.entries(draft.parameter_mapping).filter(
    ([, rule]) => isFixed(rule) && (rule.location === 'headers' ? 'header' : rule.location) === location,
  );
  return constants.map(([key, rule]) => {
    const label = rule.name ?? key;
    const type = jsonTypeOf(rule.value);
    return {
      ...literalRow({
        id: mappedId(location, label, rule),
        origin: { kind: 'constant', key },
        location,
        label,
        value: rule.value,
        name: key,
        property: type === undefined ? {} : { type },
        lockReason: location === 'path' ? 'This value fills a placeholder of the URL.' : undefined,
      }),
      parent: rule.parent,
    };
  });
}

function mappedId(location: ValueLocation, label: string, rule: Mapping | undefined): string {
  return rule?.parent === undefined ? `${location}:${label}` : `${location}:${rule.parent}.${label}`;
}

/** Rows for the arguments of one location, except those in placeholders. */
function argumentRows(draft: CurlDraft, location: ValueLocation): ValueRow[] {
  const placeholderArguments = new Set(
    placeholderNames(draft.endpoint_url).map((name) => argumentOfPlaceholder(draft, name)),
  );
  return Object.keys(propertiesOf(draft))
    .filter((name) => !placeholderArguments.has(name) && locationOf(draft, name) === location)
    .map((name) => {
      const rule = getOwn(draft.parameter_mapping, name);
      const label = rule?.name ?? name;
      const row = argumentRow(draft, name, { kind: 'argument' }, location, label);
      return { ...row, id: mappedId(location, label, rule), parent: rule?.parent };
    });
}

function locationOf(draft: CurlDraft, argument: string): ValueLocation {
  const location = getOwn(draft.parameter_mapping, argument)?.location;
  if (location === 'headers') return 'header';
  // An argument mapped to a missing placeholder uses the default location, as in the service.
  if (location !== undefined && location !== 'path') return location;
  return /^(GET|HEAD|DELETE|OPTIONS)$/.test(draft.http_method) ? 'query' : 'body';
}

function argumentOfPlaceholder(draft: CurlDraft, placeholder: string): string | undefined {
  const properties = Object.keys(propertiesOf(draft));
  const mapped = properties.find((name) => {
    const rule = getOwn(draft.parameter_mapping, name);
    return rule?.location === 'path' && (rule.name ?? name) === placeholder;
  });
  return mapped ?? properties.find((name) => name === placeholder);
}

function argumentRow(
  draft: CurlDraft,
  argument: string,
  origin: ValueOrigin,
  location: ValueLocation,
  label: string,
): ValueRow {
  const property = getOwn(propertiesOf(draft), argument);
  const schema = isObject(property) ? property : {};
  const required = Array.isArray(draft.input_schema.required) && draft.input_schema.required.includes(argument);
  const value = getOwn(draft.body, argument);
  const lockReason = argumentLockReason(value, origin);
  return {
    id: '',
    origin,
    location,
    label,
    parent: undefined,
    value,
    secret: isSecretName(label, location),
    modes: modesOf('argument', origin, lockReason),
    lockReason,
    imported: { mode: 'argument', argument, property: schema, required },
    mode: 'argument',
    argument,
    type: isJsonType(schema.type) ? schema.type : undefined,
    required,
    description: typeof schema.description === 'string' ? schema.description : '',
  };
}

/** The parts of a URL cannot be left out: other parts depend on their position. */
function modesOf(mode: ValueMode, origin: ValueOrigin, lockReason: string | undefined): ValueMode[] {
  const alternatives: ValueMode[] = lockReason === undefined ? ['fixed', 'argument'] : [mode];
  return origin.kind === 'segment' || origin.kind === 'placeholder' ? alternatives : [...alternatives, 'omitted'];
}

function argumentLockReason(value: unknown, origin: ValueOrigin): string | undefined {
  if (value === undefined) return 'The command has no value for this argument.';
  return origin.kind === 'placeholder' && /^\.{0,2}$/.test(valueText(value))
    ? 'The values "", "." and ".." cannot replace a placeholder.'
    : undefined;
}

/** A fixed value of the command; `name` and `property` apply if the user makes it an argument. */
interface Literal {
  id: string;
  origin: ValueOrigin;
  location: ValueLocation;
  label: string;
  value: unknown;
  name: string;
  property: JsonObject;
  lockReason: string | undefined;
}

function literalRow({ name, property, ...rest }: Literal): ValueRow {
  const secret = rest.location !== 'path' && isSecretName(rest.label, rest.location);
  const text = valueText(rest.value);
  // Short, non-secret values become defaults, except path segments. The rule of the importer is more detailed.
  const hasDefault =
    !secret && rest.location !== 'path' && typeof rest.value === 'string' && text.length <= defaultLengthMax;
  const fullProperty = hasDefault ? { ...property, default: text } : property;
  const required = !hasDefault;
  return {
    ...rest,
    parent: undefined,
    secret,
    modes: modesOf('fixed', rest.origin, rest.lockReason),
    imported: { mode: 'fixed', argument: name, property: fullProperty, required },
    mode: 'fixed',
    argument: name,
    type: isJsonType(property.type) ? property.type : undefined,
    required,
    description: '',
  };
}

function uniqueRows(rows: readonly ValueRow[]): ValueRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Own properties only: `constructor` is a valid argument name. */
function getOwn<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
