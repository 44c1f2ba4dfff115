import { send } from '../../api/client';
import type { CurlDraft } from '../../logic/curl-draft';
import { parseExact } from '../../logic/exact-json';

/** Imports one or more curl commands. */
export async function importCurl(curl: string, signal: AbortSignal): Promise<CurlDraft[]> {
  const response = await send('post', '/tools/import-curl', { query: { infer: true }, body: { curl }, signal });
  // openapi.json defines the type. Parsed here and not in api/client.ts, because long numbers must keep their digits.
  const body = parseExact(await response.text()) as CurlDraft | { tools: CurlDraft[] };
  return 'tools' in body ? body.tools : [body];
}
