/** The document of an import: a link, pasted text, a file, or several files that refer to each other. */
import { formatBytes, utf8Bytes } from './format';

export type ImportSource =
  | { kind: 'url'; url: string; headers: Readonly<Record<string, string>> }
  | { kind: 'text'; text: string; fileName: string | undefined }
  /** Several files, or a zip archive of them. */
  | { kind: 'files'; files: readonly File[] };

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

/** The label of the source on the page: the link, the file names or `Pasted text`. */
export function sourceLabel(source: ImportSource): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'files') return source.files.map(({ name }) => name).join(', ');
  return source.fileName ?? 'Pasted text';
}

/** The size of the document in bytes, of text as UTF-8; undefined for a link. */
export function sourceSize(source: ImportSource): number | undefined {
  if (source.kind === 'text') return utf8Bytes(source.text);
  return source.kind === 'files' ? source.files.reduce((sum, { size }) => sum + size, 0) : undefined;
}

export type SourceResult = ImportSource | { kind: 'error'; message: string };

/** Reads chosen or dropped files. A single file is text, unless it is an archive. */
export async function readFiles(files: readonly File[]): Promise<SourceResult | undefined> {
  const [first] = files;
  if (!first) return undefined;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const name = files.length === 1 ? first.name : `${files.length} files`;
  if (size > documentBytesMax) {
    const limit = formatBytes(documentBytesMax);
    return { kind: 'error', message: `${name}: ${formatBytes(size)} is too large. Documents may have up to ${limit}.` };
  }
  if (files.length > 1 || isArchive(first)) return { kind: 'files', files };
  return { kind: 'text', text: decodeDocument(await first.arrayBuffer()), fileName: first.name };
}

function isArchive({ name, type }: File): boolean {
  return /\.zip$/i.test(name) || type.includes('zip');
}

/** The request arguments that identify the document. `content`: the text that an earlier request read from the link. */
export function sourceArguments(source: ImportSource, content: string | undefined): Record<string, unknown> {
  if (source.kind === 'text') return { content: source.text };
  if (source.kind === 'files') return {};
  const { url, headers } = source;
  const named = Object.keys(headers).length > 0 ? { url, url_headers: headers } : { url };
  return content === undefined ? { ...named, include_content: true } : { ...named, content };
}
