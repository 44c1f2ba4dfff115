import { send } from '../../api/client';
import type { CurlDraft } from '../../logic/curl-draft';
import { parseExact } from '../../logic/exact-json';

/** The tools that a text with one or more curl commands describes. */
export async function importCurl(curl: string, signal: AbortSignal): Promise<CurlDraft[]> {
  const response = await send('post', '/tools/import-curl', { query: { infer: true }, body: { curl }, signal });
  // The shape is the contract's; read apart from the client because long numbers must keep their digits.
  const reply = parseExact(await response.text()) as CurlDraft | { tools: CurlDraft[] };
  return 'tools' in reply ? reply.tools : [reply];
}
