/** The document of an import: a link, pasted text or a file. */

export type ImportSource =
  | { kind: 'url'; url: string; headers: Readonly<Record<string, string>> }
  | { kind: 'text'; text: string; fileName: string | undefined };

/** The limit of the service. */
export const documentBytesMax = 10 * 1024 * 1024;

/** Whether the text is a single link, and not a document. */
export function isLink(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text.trim());
}

/** Decodes a file: UTF-8, or UTF-16 if it begins with a byte order mark. */
export function decodeDocument(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  const isLittleEndian = first === 0xff && second === 0xfe;
  const isBigEndian = first === 0xfe && second === 0xff;
  return new TextDecoder(isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : 'utf-8').decode(bytes);
}

/** What the page shows for the source: a file name, a link or the size of the text. */
export function sourceLabel(source: ImportSource): string {
  if (source.kind === 'url') return source.url;
  return source.fileName ?? 'Pasted text';
}

/** The arguments of the request that name the document. `content` is the text that was fetched from the link before. */
export function sourceArguments(source: ImportSource, content: string | undefined): Record<string, unknown> {
  if (source.kind === 'text') return { content: source.text };
  const { url, headers } = source;
  const named = Object.keys(headers).length > 0 ? { url, url_headers: headers } : { url };
  return content === undefined ? { ...named, include_content: true } : { ...named, content };
}
