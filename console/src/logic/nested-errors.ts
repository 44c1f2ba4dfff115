/** Faults within an object, which the API tells in one text under the name of the object, sorted by the key they belong to. */

/** `settings[a] is wrong. settings[b][c] is, too.` becomes `{a: 'a is wrong.', b: 'b[c] is, too.'}`. */
export function nestedErrors(name: string, message: string | undefined): Record<string, string> {
  const faults: Record<string, string> = {};
  if (message === undefined) return faults;
  for (const part of message.split(`${name}[`).slice(1)) {
    const end = part.indexOf(']');
    if (end < 0) continue;
    const key = part.slice(0, end);
    const text = `${key}${part.slice(end + 1)}`.trim();
    faults[key] = Object.hasOwn(faults, key) ? `${faults[key]} ${text}` : text;
  }
  return faults;
}

/** What none of these keys has a field for, to be said above the form. */
export function otherErrors(name: string, message: string | undefined, keys: readonly string[]): string | undefined {
  if (message === undefined) return undefined;
  const faults = nestedErrors(name, message);
  if (Object.keys(faults).length === 0) return message;
  const others = Object.entries(faults).filter(([key]) => !keys.includes(key));
  return others.length === 0 ? undefined : others.map(([, text]) => text).join(' ');
}
