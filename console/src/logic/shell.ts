/** Quoting for shell commands. */

/** Quotes a text as one word: bare if safe, in double quotes if safe in every shell, else in single quotes. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (/^[\w@%+=:,./ -]+$/.test(text)) return `"${text}"`;
  return singleQuoted(text);
}

/** Single quotes, for POSIX shells. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function shellWords(...texts: string[]): string {
  return texts.map(shellWord).join(' ');
}
