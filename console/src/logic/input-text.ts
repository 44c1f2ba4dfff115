/** Parses the values of text inputs. */
import { parseExact } from './exact-json';

/** Text that is not a number is sent unchanged, so that the API reports the error for the field. */
export function numberOrText(text: string): number {
  const number = Number(text);
  // The API accepts and validates text here, which the type does not express.
  return text.trim() === '' || Number.isNaN(number) ? (text as unknown as number) : number;
}

/** Parses JSON that a person writes, without loss of digits; the error includes the position. */
export function parseInput(text: string): { value: unknown } | { error: string } {
  try {
    return { value: parseExact(text) };
  } catch (cause) {
    return { error: `This is not valid JSON: ${cause instanceof Error ? cause.message : cause}` };
  }
}
