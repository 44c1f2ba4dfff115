/** URL templates: `https://api.example.com/cities/{city}`. */

export interface TemplatePart {
  text: string;
  /** The name in the braces; undefined for literal text. */
  placeholder: string | undefined;
}

export function splitTemplate(url: string): TemplatePart[] {
  return url
    .split(/(\{[^{}]+\})/)
    .filter((text) => text !== '')
    .map((text) => ({ text, placeholder: /^\{[^{}]+\}$/.test(text) ? text.slice(1, -1) : undefined }));
}

/** The distinct names of the placeholders, in order. */
export function placeholdersOf(url: string): string[] {
  const names = splitTemplate(url).map(({ placeholder }) => placeholder);
  return [...new Set(names.filter((name) => name !== undefined))];
}

export function renamePlaceholder(url: string, from: string, to: string): string {
  return url.replaceAll(`{${from}}`, () => `{${to}}`);
}
