/** Recognises pasted text: an API key in various forms, or a curl command. */

/** Extracts the key: bare, quoted, with `Bearer` or a whole header, or from the link in the start banner. */
export function keyFromPaste(text: string): string {
  const link = /#key=([^\s&'"]+)/.exec(text)?.[1];
  if (link !== undefined) return decodeURIComponent(link);
  return text
    .trim()
    .replace(/^['"]|['"]$/g, '')
    .replace(/^authorization:\s*/i, '')
    .replace(/^bearer\s+/i, '')
    .trim();
}

/** Whether the text begins with a curl command, optionally after a shell prompt. */
export function looksLikeCurl(text: string): boolean {
  return /^\s*([$>%#]\s+)?curl(\.exe)?\s+\S/i.test(text);
}
