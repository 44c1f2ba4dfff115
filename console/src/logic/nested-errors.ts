/** Splits the API's combined error text of an object parameter by key. */

/** `settings[a] is wrong. settings[b][c] is, too.` becomes `{a: 'a is wrong.', b: 'b[c] is, too.'}`. */
export function nestedErrors(name: string, message: string | undefined): Record<string, string> {
  const errors: Record<string, string> = {};
  if (message === undefined) return errors;
  for (const part of message.split(`${name}[`).slice(1)) {
    const end = part.indexOf(']');
    if (end < 0) continue;
    const key = part.slice(0, end);
    const text = `${key}${part.slice(end + 1)}`.trim();
    errors[key] = Object.hasOwn(errors, key) ? `${errors[key]} ${text}` : text;
  }
  return errors;
}

/** The errors of keys without a form field, shown above the form. */
export function otherErrors(name: string, message: string | undefined, keys: readonly string[]): string | undefined {
  if (message === undefined) return undefined;
  const errors = nestedErrors(name, message);
  if (Object.keys(errors).length === 0) return message;
  const others = Object.entries(errors).filter(([key]) => !keys.includes(key));
  return others.length === 0 ? undefined : others.map(([, text]) => text).join(' ');
}
