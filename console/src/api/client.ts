/** Client of the management API. Requests are typed by its OpenAPI document; failures are thrown as ApiError. */
import { bearerToken, onKeyAccepted, onKeyRejected, renewRejectedToken } from '../session/session';
import type { Method, OptionsArgument, PathOf, RequestBody, ResponseBody } from './contract';
import { ApiError, errorFromResponse, isAbort, toApiError } from './errors';

/** A response body, with the pagination headers if it is a page of a list; otherwise these are 0 or undefined. */
export interface ApiResponse<T> {
  data: T;
  /** Number of matching items on all pages. */
  total: number;
  totalPages: number;
  /** Value of `before` for the next page of the call log; undefined on the last page. */
  nextBefore: number | undefined;
}

export interface RequestOptions {
  path?: object | undefined;
  query?: object | undefined;
  body?: unknown;
  /** A body with files, instead of `body`. */
  form?: FormData | undefined;
  signal?: AbortSignal | undefined;
  /** Overrides the session's key, to validate another one. */
  key?: string | undefined;
}

/** Base path of the management API; the service writes it into the page. */
export const apiBase =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="toolgate-api-base"]')?.content ??
  '/wp-json/toolgate/v1';

export function get<P extends PathOf<'get'>>(
  path: P,
  ...[options]: OptionsArgument<'get', P>
): Promise<ApiResponse<ResponseBody<'get', P>>> {
  return request('get', path, options);
}

export function post<P extends PathOf<'post'>>(
  path: P,
  body: RequestBody<'post', P> | undefined,
  ...[options]: OptionsArgument<'post', P>
): Promise<ApiResponse<ResponseBody<'post', P>>> {
  return request('post', path, { ...options, body });
}

export function patch<P extends PathOf<'patch'>>(
  path: P,
  body: RequestBody<'patch', P>,
  ...[options]: OptionsArgument<'patch', P>
): Promise<ApiResponse<ResponseBody<'patch', P>>> {
  return request('patch', path, { ...options, body });
}

export function remove<P extends PathOf<'delete'>>(
  path: P,
  ...[options]: OptionsArgument<'delete', P>
): Promise<ApiResponse<ResponseBody<'delete', P>>> {
  return request('delete', path, options);
}

/** Returns the raw response, for bodies that are not JSON (event streams, CSV). Throws an ApiError if it is not 2xx. */
export async function send(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
  // `strict`: the service rejects unknown fields of a change instead of ignoring them.
  const query = method === 'get' ? options.query : { ...options.query, strict: 1 };
  const url = buildUrl(path, { ...options, query });
  const token = options.key ?? (await bearerToken());
  let response = await fetchWithToken(token, method, url, options);
  if (response.status === 401 && options.key === undefined && (await renewRejectedToken(token)))
    response = await fetchWithToken(await bearerToken(), method, url, options);
  if (response.ok) {
    if (options.key === undefined) onKeyAccepted();
    return response;
  }
  const error = errorFromResponse(
    response.status,
    await response.json().catch(() => undefined),
    response.headers.get('WWW-Authenticate'),
  );
  if (error.status === 401 && options.key === undefined) onKeyRejected(error.code);
  throw error;
}

async function request<T>(method: Method, path: string, options: RequestOptions | undefined): Promise<ApiResponse<T>> {
  const response = await send(method, path, options);
  const numberHeader = (name: string) => Number(response.headers.get(name) ?? 0);
  return {
    data: await readJson<T>(response),
    total: numberHeader('X-WP-Total'),
    totalPages: numberHeader('X-WP-TotalPages'),
    nextBefore: numberHeader('X-Next-Before') || undefined,
  };
}

async function readJson<T>(response: Response): Promise<T> {
  try {
    // The type comes from openapi.json; a test of the service compares that file with the served document.
    return (await response.json()) as T;
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    throw new ApiError('The response was incomplete. Try again.', response.status, 'broken');
  }
}

function buildUrl(path: string, { path: params = {}, query = {} }: RequestOptions): string {
  let filledPath = path;
  for (const [name, value] of Object.entries(params))
    filledPath = filledPath.replace(`{${name}}`, encodeURIComponent(String(value)));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return `${apiBase}${filledPath}${search.size > 0 ? `?${search}` : ''}`;
}

function fetchWithToken(token: string, method: Method, url: string, options: RequestOptions): Promise<Response> {
  return fetch(url, {
    method: method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${token}`,
      ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(options.form ? { body: options.form } : {}),
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  }).catch((cause: unknown) => {
    throw isAbort(cause) ? cause : toApiError(cause);
  });
}
