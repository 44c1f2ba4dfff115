/** A server asked over MCP, as a client would: what the management API has no route for. */
import { ApiError, toApiError } from '../../api/errors';
import type { Server } from '../../api/types';
import { sessionKey } from '../../session/session';

/** The result of one bare request. Throws an ApiError that says what the endpoint had to say. */
export async function askServer(
  server: Server,
  method: string,
  params: object,
  signal?: AbortSignal,
): Promise<unknown> {
  // The service may be known to clients under another address than to this page, which may ask its own origin alone.
  const path = new URL(server.endpoint_url).pathname;
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${sessionKey.peek() ?? ''}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    throw toApiError(cause);
  });
  const reply: unknown = await response.json().catch(() => undefined);
  if (isRecord(reply) && 'result' in reply) return reply.result;
  const error = isRecord(reply) && isRecord(reply.error) ? reply.error : {};
  throw new ApiError(explain(response.status, error.message), response.status, String(error.code ?? 'unknown'));
}

function explain(status: number, message: unknown): string {
  if (status === 401) return 'The endpoint does not take your key: it needs the scope mcp, and to be the owner’s.';
  if (status === 404) return 'The server is a draft: activate it to try it.';
  if (status === 503) return 'The server is paused: activate it to try it.';
  return typeof message === 'string' ? message : `The endpoint answered with status ${status}.`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
