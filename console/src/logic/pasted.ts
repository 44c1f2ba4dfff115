/** What somebody pasted: a key in its many wrappings, or a curl command. */

/** The key itself: alone, with `Bearer` or a whole header before it, in quotes, or in the link that the start banner prints. */
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

/** Whether the text begins with a curl command, a prompt before it allowed. */
export function looksLikeCurl(text: string): boolean {
  return /^\s*([$>%#]\s+)?curl(\.exe)?\s+\S/i.test(text);
}
