/** JSON whose long numbers keep their digits: ids of 19 digits are common, and a number of JavaScript holds 15 of them. */

/** A number as it was written; `JSON.stringify` writes it so again. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** Newer than the types of the language; browsers without it round, as they always did. */
interface NewerJson {
  rawJSON?: (text: string) => RawNumber;
  isRawJSON?: (value: unknown) => value is RawNumber;
}
const newer: NewerJson = JSON as NewerJson;
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

export function parseExact(text: string): unknown {
  // The third parameter is newer than the types, too.
  const revive = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && !survives(value, context.source)
      ? (newer.rawJSON?.(context.source) ?? value)
      : value;
  return JSON.parse(text, revive);
}

/** A number as somebody typed it; undefined where it would be rounded. */
export function exactNumber(text: string): number | RawNumber | undefined {
  const value = Number(text);
  if (survives(value, text)) return value;
  return jsonNumber.test(text) ? newer.rawJSON?.(text) : undefined;
}

export function isRawNumber(value: unknown): value is RawNumber {
  return newer.isRawJSON?.(value) ?? false;
}

/** Whether the number has all the digits of its text; a number of JavaScript holds any fifteen. */
function survives(value: number, source: string): boolean {
  const digits = source.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return String(value) === source || (Number.isFinite(value) && digits.length <= 15);
}
