/** Reads ids from URLs: integers from 1. */

/** Undefined for other text, and for numbers above 2^53 - 1, which JavaScript cannot represent exactly. */
export function readId(text: string | null | undefined): number | undefined {
  if (!text || !/^[1-9]\d*$/.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : undefined;
}
