/** ApiError: the one error type of failed requests, with a message for the user. */

export interface Position {
  line: number;
  column: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** HTTP status; 0 without a response. */
    readonly status: number,
    /** Error code of the API, such as `rest_invalid_param`, or one set here, such as `expired_key`. */
    readonly code: string,
    /** Messages by parameter name. */
    readonly params: Record<string, string> = {},
    /** Position of the error in a pasted text. */
    readonly position?: Position,
  ) {
    super(message);
  }
}

/**
 * Converts a failed response. The body may have any shape, because a proxy may have sent it. `challenge` is the header
 * `WWW-Authenticate`, which says whether the key has expired.
 */
export function errorFromResponse(status: number, body: unknown, challenge: string | null = null): ApiError {
  if (status === 401 && challenge?.includes('API key has expired'))
    return new ApiError('Your API key has expired.', status, 'expired_key');
  if (!isRecord(body) || typeof body.message !== 'string' || typeof body.code !== 'string') {
    return new ApiError(`The service returned status ${status}.`, status, 'unknown');
  }
  const data = isRecord(body.data) ? body.data : {};
  return new ApiError(
    messageFor(status, body.code, body.message),
    status,
    body.code,
    readParams(data.params),
    readPosition(data.position),
  );
}

/** Converts anything thrown. fetch reports every network failure as a TypeError. */
export function toApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof TypeError) return new ApiError('The service does not respond. Is it running?', 0, 'unreachable');
  return new ApiError(cause instanceof Error ? cause.message : String(cause), 0, 'unknown');
}

export function isAbort(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'AbortError';
}

/** Replaces generic texts of the service with clearer ones; texts about a specific rule stay. */
function messageFor(status: number, code: string, message: string): string {
  if (status === 401 && code !== 'rest_user_disabled') return 'Your API key was rejected.';
  if (status === 403 && message.startsWith('Sorry,')) return 'Your API key does not permit this.';
  return message;
}

/** The API lists missing parameters by name, and maps invalid ones to a message. */
function readParams(params: unknown): Record<string, string> {
  if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [String(name), 'This is required.']));
  if (!isRecord(params)) return {};
  return Object.fromEntries(Object.entries(params).map(([name, message]) => [name, String(message)]));
}

function readPosition(position: unknown): Position | undefined {
  if (!isRecord(position) || typeof position.line !== 'number' || typeof position.column !== 'number') return undefined;
  return { line: position.line, column: position.column };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
