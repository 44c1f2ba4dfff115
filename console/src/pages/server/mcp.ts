/** MCP requests to a server's endpoint, for operations that the management API does not offer. */
import { ApiError, toApiError } from '../../api/errors';
import type { Server } from '../../api/types';
import { isBrowserSession, tabKey } from '../../session/session';

/** Sends one JSON-RPC request and returns its result. Throws an ApiError with the endpoint's message. */
export async function sendMcpRequest(
  server: Server,
  method: string,
  params: object,
  signal?: AbortSignal,
): Promise<unknown> {
  if (isBrowserSession()) throw new ApiError('This request needs a key: sign in to the console with one.', 0, 'no_key');
  // The endpoint URL may use another origin than this page, and the CSP only allows requests to this page's origin.
  const path = new URL(server.endpoint_url).pathname;
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${tabKey() ?? ''}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    throw toApiError(cause);
  });
  const reply: unknown = await response.json().catch(() => undefined);
  if (isRecord(reply) && 'result' in reply) return reply.result;
  const error = isRecord(reply) && isRecord(reply.error) ? reply.error : {};
  throw new ApiError(errorMessage(response.status, error.message), response.status, String(error.code ?? 'unknown'));
}

function errorMessage(status: number, message: unknown): string {
  if (status === 401) return 'The endpoint rejected your key. Use a key of the server’s owner with the scope mcp.';
  if (status === 404) return 'The server is a draft. Activate it first.';
  if (status === 503) return 'The server is paused. Activate it first.';
  return typeof message === 'string' ? message : `The endpoint returned status ${status}.`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
