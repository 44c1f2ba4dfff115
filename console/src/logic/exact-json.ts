/** JSON without loss of digits: 19-digit ids are common, and a JavaScript number is exact to 15 digits. */

/** A number in its original spelling, which `JSON.stringify` preserves. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** Functions that TypeScript's types of JSON lack. Browsers without them round long numbers. */
interface JsonWithRaw {
  rawJSON?: (text: string) => RawNumber;
  isRawJSON?: (value: unknown) => value is RawNumber;
}
const jsonWithRaw: JsonWithRaw = JSON as JsonWithRaw;
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

export function parseExact(text: string): unknown {
  // The types also lack the reviver's third parameter.
  const revive = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
      ? (jsonWithRaw.rawJSON?.(context.source) ?? value)
      : value;
  return JSON.parse(text, revive);
}

/** Parses a typed number; undefined if it would be rounded. */
export function exactNumber(text: string): number | RawNumber | undefined {
  const value = Number(text);
  if (isExact(value, text)) return value;
  return jsonNumber.test(text) ? jsonWithRaw.rawJSON?.(text) : undefined;
}

export function isRawNumber(value: unknown): value is RawNumber {
  return jsonWithRaw.isRawJSON?.(value) ?? false;
}

/** Whether the number represents its text exactly; up to 15 digits always fit. */
function isExact(value: number, source: string): boolean {
  const digits = source.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return String(value) === source || (Number.isFinite(value) && digits.length <= 15);
}
