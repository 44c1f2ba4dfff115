/** Converts server settings between the API and the form. */
import type { Server, ServerPatch } from '../api/types';
import { parseExact } from './exact-json';
import { numberOrText, parseInput } from './input-text';
import { isObject, type JsonObject } from './json';
import { type ShapingForm, toShaping, toShapingForm } from './shaping-form';

export type Capture = 'off' | 'failures' | 'all';
export type Discovery = 'all' | 'search' | 'auto';

/** A client type and the profile that it gets instead of the built-in one. */
export interface ProfileRow {
  name: string;
  value: string;
}

export interface ServerForm {
  name: string;
  slug: string;
  description: string;
  instructions: string;
  /** Text as typed: the API validates numbers. */
  rateLimit: string;
  /** Separated by line breaks or commas. */
  origins: string;
  safeNames: boolean;
  coercesArguments: boolean;
  tracesUpstream: boolean;
  discovery: Discovery;
  listBudget: string;
  adaptsSchemas: boolean;
  clientProfiles: readonly ProfileRow[];
  /** The default for tools without their own rules. */
  shaping: ShapingForm;
  capture: Capture;
  captureBytes: string;
  /** Settings that Toolgate does not interpret, as JSON. */
  customSettings: string;
}

/** The keys of `settings` that Toolgate interprets; all others are custom settings. */
export const builtInKeys = [
  'description',
  'instructions',
  'allowed_origins',
  'safe_tool_names',
  'coerce_arguments',
  'trace_upstream',
  'discovery',
  'list_budget',
  'adapt_schemas',
  'client_profiles',
  'shaping',
  'capture',
  'capture_max_bytes',
  'test_credentials',
  'oauth',
];

/** The settings of servers that the console creates: models often write `"10"` for 10. */
export const newServerSettings = { coerce_arguments: true };

const captureBytesDefault = 4096;
const listBudgetDefault = 10_000;

export function toServerForm(server: Server): ServerForm {
  const settings = server.settings ?? {};
  const origins = Array.isArray(settings.allowed_origins) ? settings.allowed_origins : [];
  return {
    name: server.name,
    slug: server.slug,
    description: asText(settings.description),
    instructions: asText(settings.instructions),
    rateLimit: String(server.rate_limit_per_min),
    origins: origins.map(String).join('\n'),
    safeNames: settings.safe_tool_names !== false,
    coercesArguments: settings.coerce_arguments === true,
    tracesUpstream: settings.trace_upstream === true,
    discovery: settings.discovery === 'search' || settings.discovery === 'auto' ? settings.discovery : 'all',
    listBudget: String(settings.list_budget ?? listBudgetDefault),
    adaptsSchemas: settings.adapt_schemas !== false,
    clientProfiles: toProfileRows(settings.client_profiles),
    shaping: toShapingForm(settings.shaping),
    capture: settings.capture === 'failures' || settings.capture === 'all' ? settings.capture : 'off',
    captureBytes: String(settings.capture_max_bytes ?? captureBytesDefault),
    customSettings: JSON.stringify(customSettingsOf(settings), null, 2),
  };
}

/** The request body: only changed fields, so that concurrent changes by others are not overwritten. */
export function toServerBody(form: ServerForm, server: Server): ServerPatch {
  const saved = toServerForm(server);
  const isChanged = (field: keyof ServerForm) => JSON.stringify(form[field]) !== JSON.stringify(saved[field]);
  const settings: Record<string, unknown> = isChanged('customSettings')
    ? customSettingsPatch(form.customSettings, server.settings ?? {})
    : {};
  if (isChanged('description')) settings.description = form.description || null;
  if (isChanged('instructions')) settings.instructions = form.instructions || null;
  if (isChanged('origins')) settings.allowed_origins = splitList(form.origins);
  if (isChanged('safeNames')) settings.safe_tool_names = form.safeNames;
  if (isChanged('coercesArguments')) settings.coerce_arguments = form.coercesArguments;
  if (isChanged('tracesUpstream')) settings.trace_upstream = form.tracesUpstream;
  if (isChanged('discovery')) settings.discovery = form.discovery;
  if (isChanged('listBudget')) settings.list_budget = numberOrText(form.listBudget);
  if (isChanged('adaptsSchemas')) settings.adapt_schemas = form.adaptsSchemas;
  if (isChanged('clientProfiles')) settings.client_profiles = fromProfileRows(form.clientProfiles);
  if (isChanged('shaping')) settings.shaping = toShaping(form.shaping);
  if (isChanged('capture')) settings.capture = form.capture;
  if (isChanged('captureBytes')) settings.capture_max_bytes = numberOrText(form.captureBytes);
  return {
    ...(isChanged('name') ? { name: form.name } : {}),
    ...(isChanged('slug') ? { slug: form.slug } : {}),
    ...(isChanged('rateLimit') ? { rate_limit_per_min: numberOrText(form.rateLimit) } : {}),
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
  };
}

/** Validates the custom settings; undefined if they are valid. */
export function customSettingsError(customSettings: string): string | undefined {
  const parsed = parseInput(customSettings || '{}');
  if ('error' in parsed) return parsed.error;
  const { value } = parsed;
  if (!isObject(value)) return 'Enter a JSON object.';
  const builtInKey = Object.keys(value).find((key) => builtInKeys.includes(key));
  return builtInKey && `“${builtInKey}” is a built-in setting. Use its field on this page.`;
}

/** Removed keys are sent as null, which deletes them. */
function customSettingsPatch(customSettings: string, settings: Record<string, unknown>): Record<string, unknown> {
  const removed = Object.keys(customSettingsOf(settings)).map((key) => [key, null]);
  return { ...Object.fromEntries(removed), ...(parseExact(customSettings || '{}') as JsonObject) };
}

function customSettingsOf(settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !builtInKeys.includes(key)));
}

function toProfileRows(value: unknown): ProfileRow[] {
  const profiles = isObject(value) ? Object.entries(value) : [];
  return profiles.map(([name, profile]) => ({ name, value: String(profile) }));
}

/** Rows without a client type are dropped. Without any row, the setting is deleted. */
function fromProfileRows(rows: readonly ProfileRow[]): Record<string, string> | null {
  const filled = rows.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]);
  return filled.length > 0 ? Object.fromEntries(filled) : null;
}

function splitList(value: string): string[] {
  return value
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
