/** Words for a command line. */

/** A text as one word: bare where that is safe, in double quotes where every shell agrees about it, else in single ones. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (/^[\w@%+=:,./ -]+$/.test(text)) return `"${text}"`;
  return singleQuoted(text);
}

/** Everything as it is: for a POSIX shell, that is. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function shellWords(...texts: string[]): string {
  return texts.map(shellWord).join(' ');
}
