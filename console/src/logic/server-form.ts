/** A server's settings as a form has them, and back. */
import type { Server, ServerBody } from '../api/types';

export type Capture = 'off' | 'failures' | 'all';

export interface ServerForm {
  name: string;
  slug: string;
  description: string;
  instructions: string;
  /** As typed: numbers are checked by the API, which says what is wrong with them. */
  rateLimit: string;
  /** One on each line. */
  origins: string;
  safeNames: boolean;
  capture: Capture;
  captureBytes: string;
  /** Keys of the owner's own, as JSON. */
  others: string;
}

/** The keys of `settings` that have a field of their own. */
const knownKeys = [
  'description',
  'instructions',
  'allowed_origins',
  'safe_tool_names',
  'capture',
  'capture_max_bytes',
  'test_credentials',
];

const captureBytesDefault = 4096;

export function toForm(server: Server): ServerForm {
  const settings = server.settings ?? {};
  const origins = Array.isArray(settings.allowed_origins) ? settings.allowed_origins : [];
  return {
    name: server.name,
    slug: server.slug,
    description: text(settings.description),
    instructions: text(settings.instructions),
    rateLimit: String(server.rate_limit_per_min),
    origins: origins.map(String).join('\n'),
    safeNames: settings.safe_tool_names !== false,
    capture: settings.capture === 'failures' || settings.capture === 'all' ? settings.capture : 'off',
    captureBytes: String(settings.capture_max_bytes ?? captureBytesDefault),
    others: JSON.stringify(othersOf(settings), null, 2),
  };
}

/** What the API has to be told: only what differs, so that what somebody else changed meanwhile stays. */
export function toBody(form: ServerForm, server: Server): ServerBody {
  const before = toForm(server);
  const changed = (field: keyof ServerForm) => form[field] !== before[field];
  const settings: Record<string, unknown> = changed('others') ? othersChange(form.others, server.settings ?? {}) : {};
  if (changed('description')) settings.description = form.description || null;
  if (changed('instructions')) settings.instructions = form.instructions || null;
  if (changed('origins')) settings.allowed_origins = lines(form.origins);
  if (changed('safeNames')) settings.safe_tool_names = form.safeNames;
  if (changed('capture')) settings.capture = form.capture;
  if (changed('captureBytes')) settings.capture_max_bytes = numberOrText(form.captureBytes);
  return {
    ...(changed('name') ? { name: form.name } : {}),
    ...(changed('slug') ? { slug: form.slug } : {}),
    ...(changed('rateLimit') ? { rate_limit_per_min: numberOrText(form.rateLimit) } : {}),
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
  };
}

/** What is wrong with the owner's own keys; undefined where nothing is. */
export function othersFault(others: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(others || '{}');
  } catch (cause) {
    return `This is not JSON: ${cause instanceof Error ? cause.message : cause}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'This has to be a JSON object.';
  const taken = Object.keys(value).find((key) => knownKeys.includes(key));
  return taken && `“${taken}” has a field of its own on this page.`;
}

/** Keys that are gone are told as null, which removes them. */
function othersChange(others: string, settings: Record<string, unknown>): Record<string, unknown> {
  const gone = Object.keys(othersOf(settings)).map((key) => [key, null]);
  return { ...Object.fromEntries(gone), ...JSON.parse(others || '{}') };
}

function othersOf(settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !knownKeys.includes(key)));
}

function lines(value: string): string[] {
  return value
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** What is no number goes as it is: the API says so beside the field. */
function numberOrText(value: string): number {
  const number = Number(value);
  // The API takes text here, too, and refuses what is no number; the type does not know that.
  return value.trim() === '' || Number.isNaN(number) ? (value as unknown as number) : number;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
