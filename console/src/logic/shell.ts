/** Quoting for shell commands. */

/**
 * Quotes a text as one word. Bare words and double quotes are used for texts that POSIX shells, PowerShell and cmd.exe
 * read the same way. Other texts get single quotes, for POSIX shells only: cmd.exe replaces `%NAME%` even in quotes.
 */
export function shellWord(text: string): string {
  if (/^[\w+=:./-]+$/.test(text)) return text;
  // PowerShell reads a bare `a,b` as a list and a bare `@a` as a variable.
  if (/^[\w@+=:,./ -]+$/.test(text)) return `"${text}"`;
  return singleQuoted(text);
}

/** Puts a text in single quotes, for POSIX shells. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function shellWords(...texts: string[]): string {
  return texts.map(shellWord).join(' ');
}
