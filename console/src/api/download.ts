/** A table of the API, saved as a file. It is fetched by script, because the key travels in a header. */
import { send } from './client';
import type { PathOf } from './contract';

export async function download(path: PathOf<'get'>, query: object, fileName: string): Promise<void> {
  const response = await send('get', path, { query: { ...query, format: 'csv' } });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
