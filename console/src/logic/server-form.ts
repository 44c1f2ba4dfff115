/** Converts server settings between the API and the form. */
import type { Server, ServerPatch } from '../api/types';
import { numberOrText, parseInput } from './input-text';

export type Capture = 'off' | 'failures' | 'all';

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
  'capture',
  'capture_max_bytes',
  'test_credentials',
];

/** The settings of servers that the console creates: models often write `"10"` for 10. */
export const newServerSettings = { coerce_arguments: true };

const captureBytesDefault = 4096;

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
    capture: settings.capture === 'failures' || settings.capture === 'all' ? settings.capture : 'off',
    captureBytes: String(settings.capture_max_bytes ?? captureBytesDefault),
    customSettings: JSON.stringify(customSettingsOf(settings), null, 2),
  };
}

/** The request body: only changed fields, so that concurrent changes by others are not overwritten. */
export function toServerBody(form: ServerForm, server: Server): ServerPatch {
  const saved = toServerForm(server);
  const isChanged = (field: keyof ServerForm) => form[field] !== saved[field];
  const settings: Record<string, unknown> = isChanged('customSettings')
    ? customSettingsPatch(form.customSettings, server.settings ?? {})
    : {};
  if (isChanged('description')) settings.description = form.description || null;
  if (isChanged('instructions')) settings.instructions = form.instructions || null;
  if (isChanged('origins')) settings.allowed_origins = splitList(form.origins);
  if (isChanged('safeNames')) settings.safe_tool_names = form.safeNames;
  if (isChanged('coercesArguments')) settings.coerce_arguments = form.coercesArguments;
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'Enter a JSON object.';
  const builtInKey = Object.keys(value).find((key) => builtInKeys.includes(key));
  return builtInKey && `“${builtInKey}” is a built-in setting. Use its field on this page.`;
}

/** Removed keys are sent as null, which deletes them. */
function customSettingsPatch(customSettings: string, settings: Record<string, unknown>): Record<string, unknown> {
  const removed = Object.keys(customSettingsOf(settings)).map((key) => [key, null]);
  return { ...Object.fromEntries(removed), ...JSON.parse(customSettings || '{}') };
}

function customSettingsOf(settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !builtInKeys.includes(key)));
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
