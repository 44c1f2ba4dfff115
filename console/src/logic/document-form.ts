/** The form of a stored document, and its file name. */
import type { ApiDocument } from '../api/types';

export interface DocumentForm {
  name: string;
  url: string;
  /** A masked value that is sent back leaves the stored value unchanged. */
  headers: readonly { name: string; value: string }[];
}

export const documentFields = ['name', 'url', 'url_headers'];

export function toDocumentForm({ name, url, url_headers }: ApiDocument): DocumentForm {
  const headers = Object.entries(url_headers).map(([header, value]) => ({ name: header, value: String(value) }));
  return { name, url: url ?? '', headers };
}

/** The request body: only the changed fields. */
export function documentBody(form: DocumentForm, saved: DocumentForm): Record<string, unknown> {
  const named = form.headers.filter(({ name }) => name.trim() !== '');
  const hasSameHeaders = JSON.stringify(named) === JSON.stringify(saved.headers);
  const url = form.url.trim();
  return {
    ...(form.name.trim() === saved.name ? {} : { name: form.name.trim() }),
    ...(url === saved.url ? {} : { url: url === '' ? null : url }),
    ...(hasSameHeaders
      ? {}
      : { url_headers: Object.fromEntries(named.map(({ name, value }) => [name.trim(), value])) }),
  };
}

/** The service does not return Postman collections and HAR recordings, because they may contain credentials. */
export function isDownloadable({ format }: Pick<ApiDocument, 'format'>): boolean {
  return format !== 'postman' && format !== 'har';
}

/** `pet-store.json`. */
export function documentFileName(name: string, mediaType: string): string {
  const base = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${base || 'document'}.${mediaType.includes('json') ? 'json' : 'yaml'}`;
}
