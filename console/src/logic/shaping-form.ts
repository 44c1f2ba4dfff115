/** How responses are shortened for models: the form of a tool's `shaping`, and of a server's default. */
import { formatCount } from './format';
import { numberOrText } from './input-text';
import { isObject, type JsonObject } from './json';

/** `default`: the rules of the server (of a server: no shaping); `off`: no shaping; `own`: the rules of the form. */
export type ShapingMode = 'default' | 'off' | 'own';
export type HtmlShaping = 'keep' | 'markdown' | 'text';
export type BlobShaping = 'keep' | 'link' | 'describe';

export interface ShapingForm {
  mode: ShapingMode;
  /** One path per line. */
  fields: string;
  omit: string;
  dropEmpty: boolean;
  tables: boolean;
  html: HtmlShaping;
  blobs: BlobShaping;
  /** Text as typed: the API validates numbers. Empty for no limit. */
  maxTokens: string;
  overflowMinutes: string;
  wrap: boolean;
}

/** How responses of a new tool are shortened. */
export const newToolShaping = { max_tokens: 8000, drop_empty: true, html: 'markdown', blobs: 'link' };

const overflowMinutesDefault = 15;

/** Reads a value of the API: null, `{}` or the rules. */
export function toShapingForm(value: unknown): ShapingForm {
  const rules = isObject(value) ? value : {};
  const { html, blobs, max_tokens, overflow_minutes } = rules;
  return {
    mode: !isObject(value) ? 'default' : Object.keys(value).length === 0 ? 'off' : 'own',
    fields: toLines(rules.fields),
    omit: toLines(rules.omit),
    dropEmpty: rules.drop_empty === true,
    tables: rules.tables === true,
    html: html === 'markdown' || html === 'text' ? html : 'keep',
    blobs: blobs === 'link' || blobs === 'describe' ? blobs : 'keep',
    maxTokens: max_tokens === undefined || max_tokens === null ? '' : String(max_tokens),
    overflowMinutes: String(overflow_minutes ?? overflowMinutesDefault),
    wrap: rules.wrap !== false,
  };
}

/** The form with another mode. A form without rules that changes to `own` starts with the rules of new tools. */
export function withMode(form: ShapingForm, mode: ShapingMode): ShapingForm {
  const hasRules = Object.keys(rulesOf(form)).length > 0;
  return { ...(mode === 'own' && !hasRules ? toShapingForm(newToolShaping) : form), mode };
}

/** The value for the API. */
export function toShaping(form: ShapingForm): JsonObject | null {
  if (form.mode === 'default') return null;
  if (form.mode === 'off') return {};
  const rules = rulesOf(form);
  // An object without keys would switch shaping off.
  return Object.keys(rules).length > 0 ? rules : { wrap: true };
}

/** The keys that differ from their default. */
function rulesOf(form: ShapingForm): JsonObject {
  const { html, blobs, maxTokens, overflowMinutes } = form;
  const [fields, omit] = [fromLines(form.fields), fromLines(form.omit)];
  return {
    ...(maxTokens.trim() === '' ? {} : { max_tokens: numberOrText(maxTokens.trim()) }),
    ...(fields.length > 0 ? { fields } : {}),
    ...(omit.length > 0 ? { omit } : {}),
    ...(form.dropEmpty ? { drop_empty: true } : {}),
    ...(form.tables ? { tables: true } : {}),
    ...(html === 'keep' ? {} : { html }),
    ...(blobs === 'keep' ? {} : { blobs }),
    ...(overflowMinutes.trim() === String(overflowMinutesDefault)
      ? {}
      : { overflow_minutes: numberOrText(overflowMinutes.trim()) }),
    ...(form.wrap ? {} : { wrap: false }),
  };
}

/** Says in words what the rules do: `at most 8,000 tokens, without empty members`. */
export function describeShaping(value: unknown): string {
  const form = toShapingForm(value);
  if (form.mode !== 'own') return 'responses stay as they are';
  const { maxTokens, html, blobs } = form;
  const parts = [
    maxTokens !== '' && `at most ${formatCount(Number(maxTokens))} tokens`,
    form.fields !== '' && 'only some members',
    form.omit !== '' && 'without some members',
    form.dropEmpty && 'without empty members',
    form.tables && 'lists as tables',
    html === 'markdown' && 'HTML as Markdown',
    html === 'text' && 'HTML as text',
    blobs === 'link' && 'files as links',
    blobs === 'describe' && 'files described',
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(', ') : 'JSON without white space';
}

/**
 * Splits the API's error text by key; text without a key has the key ''. Errors of a line name it:
 * `shaping[omit][1] is odd.` becomes `omit: 'Line 2 is odd.'`.
 */
export function shapingErrors(error: string | undefined): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const part of error?.split(/(?=shaping\[)/) ?? []) {
    const [, key = '', line, text = part] = /^shaping\[(\w+)\](?:\[(\d+)\])?(.*)$/s.exec(part) ?? [];
    const sentence = line === undefined ? toSentence(text) : `Line ${Number(line) + 1}${text.trimEnd()}`;
    errors[key] = errors[key] === undefined ? sentence : `${errors[key]} ${sentence}`;
  }
  return errors;
}

function toSentence(text: string): string {
  const plain = text.replace(/^:/, '').trim();
  return /^(is|has)\b/.test(plain) ? `This ${plain}` : plain.charAt(0).toUpperCase() + plain.slice(1);
}

function toLines(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join('\n') : '';
}

function fromLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
