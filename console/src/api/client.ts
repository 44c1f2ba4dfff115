/** Requests to the management API: typed by its OpenAPI document, with the key, and errors as ApiError. */
import { keyRefused, keyWorked, sessionKey } from '../session/session';
import type { Body, Method, OptionsArgument, PathOf, Reply } from './contract';
import { ApiError, errorFromReply, isAbort, toApiError } from './errors';

/** A reply and what its headers say about the list it is a part of. */
export interface Answer<T> {
  data: T;
  /** How many match in all. */
  total: number;
  totalPages: number;
  /** `before` of the next page of the log; undefined on the last one. */
  nextBefore: number | undefined;
}

export interface Request {
  path?: object | undefined;
  query?: object | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** In place of the session's, to try one out. */
  key?: string | undefined;
}

/** Where the management API is; the service says so in the page. */
export const apiBase =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="toolgate-api-base"]')?.content ??
  '/wp-json/toolgate/v1';

export function get<P extends PathOf<'get'>>(
  path: P,
  ...[options]: OptionsArgument<'get', P>
): Promise<Answer<Reply<'get', P>>> {
  return call('get', path, options);
}

export function post<P extends PathOf<'post'>>(
  path: P,
  body: Body<'post', P> | undefined,
  ...[options]: OptionsArgument<'post', P>
): Promise<Answer<Reply<'post', P>>> {
  return call('post', path, { ...options, body });
}

export function patch<P extends PathOf<'patch'>>(
  path: P,
  body: Body<'patch', P>,
  ...[options]: OptionsArgument<'patch', P>
): Promise<Answer<Reply<'patch', P>>> {
  return call('patch', path, { ...options, body });
}

export function remove<P extends PathOf<'delete'>>(
  path: P,
  ...[options]: OptionsArgument<'delete', P>
): Promise<Answer<Reply<'delete', P>>> {
  return call('delete', path, options);
}

/** The reply itself, for what is not JSON: event streams and tables. Throws an ApiError unless it tells of success. */
export async function send(method: Method, path: string, request: Request = {}): Promise<Response> {
  const response = await fetch(address(path, request), {
    method: method.toUpperCase(),
    headers: headers(request),
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(request.signal ? { signal: request.signal } : {}),
  }).catch((cause: unknown) => {
    throw isAbort(cause) ? cause : toApiError(cause);
  });
  if (response.ok) {
    if (request.key === undefined) keyWorked();
    return response;
  }
  if (response.status === 401 && request.key === undefined) keyRefused();
  throw errorFromReply(response.status, await response.json().catch(() => undefined));
}

async function call<T>(method: Method, path: string, request: Request | undefined): Promise<Answer<T>> {
  const response = await send(method, path, request);
  const number = (name: string) => Number(response.headers.get(name) ?? 0);
  return {
    data: await readJson<T>(response),
    total: number('X-WP-Total'),
    totalPages: number('X-WP-TotalPages'),
    nextBefore: number('X-Next-Before') || undefined,
  };
}

async function readJson<T>(response: Response): Promise<T> {
  try {
    // The type is the contract's; a test holds the contract against the service.
    return (await response.json()) as T;
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    throw new ApiError('The answer broke off. Try again.', response.status, 'broken');
  }
}

function address(path: string, { path: params = {}, query = {} }: Request): string {
  let filled = path;
  for (const [name, value] of Object.entries(params))
    filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return `${apiBase}${filled}${search.size > 0 ? `?${search}` : ''}`;
}

function headers(request: Request): HeadersInit {
  return {
    Authorization: `Bearer ${request.key ?? sessionKey.peek() ?? ''}`,
    ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
}
