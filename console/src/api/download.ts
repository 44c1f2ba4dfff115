/** Saves a report as a CSV file. A plain link does not work: the key is sent in a header. */
import { send } from './client';
import type { PathOf } from './contract';

export async function download(path: PathOf<'get'>, query: object, fileName: string): Promise<void> {
  const response = await send('get', path, { query: { ...query, format: 'csv' } });
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
