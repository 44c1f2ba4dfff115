/** Suggests argument names for values of a request. */

const nameLengthMax = 48;

/** `42` after the path segment `users` → `user_id`; `X-Trace` → `x_trace`. */
export function suggestName(text: string, previousSegment?: string): string {
  const parent = toIdentifier(previousSegment ?? '');
  if (isId(text)) return parent === '' ? 'id' : `${singular(parent)}_id`;
  return toIdentifier(text) || 'value';
}

/** The name, or the first free one of `name_2`, `name_3`, … */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${name}_${number}`)) return `${name}_${number}`;
  }
}

/** `user_id` → `user id`. */
export function nameToText(name: string): string {
  return name.replaceAll(/[_.-]+/g, ' ').trim() || name;
}

/** A number, a UUID, or a word of 16 or more characters with a digit: a value that differs from call to call. */
function isId(text: string): boolean {
  return /^\d+$/.test(text) || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text) || /^(?=.*\d)[\w-]{16,}$/.test(text);
}

function toIdentifier(text: string): string {
  const identifier = text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, nameLengthMax);
  return /^\d/.test(identifier) ? `_${identifier}` : identifier;
}

function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}
