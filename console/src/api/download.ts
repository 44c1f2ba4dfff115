/** Saves responses as files. A plain link does not work: the key is sent in a header. */
import { send } from './client';
import type { PathOf } from './contract';

/** Saves a report as a CSV file. */
export async function downloadCsv(path: PathOf<'get'>, query: object, fileName: string): Promise<void> {
  const response = await send('get', path, { query: { ...query, format: 'csv' } });
  saveFile(await response.blob(), fileName);
}

export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
