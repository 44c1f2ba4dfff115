/** The URL if it is safe to link to. URLs come from untrusted input and may be `javascript:`. */
export function safeHref(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}
