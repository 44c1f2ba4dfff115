/** Validates an API key, or the token of the browser session, before sign-in. */
import { send } from '../api/client';
import { type ApiError, toApiError } from '../api/errors';
import { rejectedKeyText } from './key-texts';

/** Length of a generated key with its prefix `tg_`. */
const keyLength = 46;

/** Returns undefined for a valid key, otherwise the error text. */
export async function validateKey(key: string): Promise<string | undefined> {
  if (key === '') return 'Paste an API key.';
  // A key has only visible ASCII characters; fetch would throw for others in a header.
  if (!/^[\x21-\x7e]+$/.test(key)) return 'An API key has no spaces or special characters. Copy it again.';
  try {
    // Every role may use this route.
    await send('get', '/me', { key });
    return undefined;
  } catch (cause) {
    return errorText(toApiError(cause), key);
  }
}

/** Tokens of the browser session start with `tgb_`. */
function mcpOnlyText(key: string): string {
  if (key.startsWith('tgb_'))
    return 'You are signed in with a key that only has the scope mcp. Sign out, or use a key with the scope read or write.';
  return 'This key only has the scope mcp. Use a key with the scope read or write.';
}

function errorText({ status, code, message }: ApiError, key: string): string {
  if (status === 403) return mcpOnlyText(key);
  if (status !== 401) return message;
  if (code === 'rest_forbidden' && key.startsWith('tg_') && key.length < keyLength)
    return `Unknown API key. It looks truncated: a key has ${keyLength} characters.`;
  return rejectedKeyText(code);
}
