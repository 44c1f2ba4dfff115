/** Values from text inputs. */

/** Text that is not a number is sent unchanged, so that the API reports the error for the field. */
export function numberOrText(text: string): number {
  const number = Number(text);
  // The API accepts and validates text here, which the type does not express.
  return text.trim() === '' || Number.isNaN(number) ? (text as unknown as number) : number;
}

/** Parses JSON that a person writes; the error includes the position. */
export function parseInput(text: string): { value: unknown } | { error: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    return { error: `This is not valid JSON: ${cause instanceof Error ? cause.message : cause}` };
  }
}
