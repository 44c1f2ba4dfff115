/** Tries a key out before it is taken, and says in a sentence what is wrong with it. */
import { send } from '../api/client';
import { toApiError } from '../api/errors';

/** Undefined where the key opens the console. */
export async function faultOfKey(key: string): Promise<string | undefined> {
  if (key === '') return 'Paste a key first.';
  // Headers carry visible ASCII only, and a key is nothing else.
  if (!/^[\x21-\x7e]+$/.test(key)) return 'A key has no spaces and no special characters. Copy it once more.';
  try {
    await send('get', '/servers', { query: { per_page: 1 }, key });
    return undefined;
  } catch (cause) {
    return explain(toApiError(cause).status, key, toApiError(cause).message);
  }
}

function explain(status: number, key: string, message: string): string {
  if (status === 403)
    return 'This key is known, but it may only use servers over MCP. Take one with the scope read or write.';
  if (status !== 401) return message;
  if (key.startsWith('tg_') && key.length < 46)
    return 'The service does not know this key. It looks cut off: a key has 46 characters.';
  return 'The service does not know this key. It may have been revoked, or belong to another installation.';
}
