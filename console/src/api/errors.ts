/** Everything that can go wrong with a request, as one type that says it to a person. */

export interface Position {
  line: number;
  column: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** HTTP status; 0 where there was no answer. */
    readonly status: number,
    /** `rest_invalid_param` and the like. */
    readonly code: string,
    /** What is wrong, by parameter. */
    readonly params: Record<string, string> = {},
    /** Where the fault is in a pasted text. */
    readonly position?: Position,
  ) {
    super(message);
  }
}

/** The error that a reply without success carries, whatever its body turns out to be (a proxy may have answered). */
export function errorFromReply(status: number, body: unknown): ApiError {
  if (!isRecord(body) || typeof body.message !== 'string' || typeof body.code !== 'string') {
    return new ApiError(`The service answered with status ${status}.`, status, 'unknown');
  }
  const data = isRecord(body.data) ? body.data : {};
  return new ApiError(
    sayPlainly(status, body.message),
    status,
    body.code,
    readParams(data.params),
    readPosition(data.position),
  );
}

/** Anything thrown, as an ApiError; fetch says no more than that nothing came back. */
export function toApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof TypeError) return new ApiError('The service does not answer. Is it running?', 0, 'unreachable');
  return new ApiError(cause instanceof Error ? cause.message : String(cause), 0, 'unknown');
}

export function isAbort(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'AbortError';
}

function sayPlainly(status: number, message: string): string {
  if (status === 401) return 'Your key is not accepted.';
  if (status === 403) return 'Your key does not allow this.';
  return message;
}

/** Missing parameters come as a list of names, wrong ones with what is wrong about them. */
function readParams(params: unknown): Record<string, string> {
  if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [String(name), 'This is required.']));
  if (!isRecord(params)) return {};
  return Object.fromEntries(Object.entries(params).map(([name, fault]) => [name, String(fault)]));
}

function readPosition(position: unknown): Position | undefined {
  if (!isRecord(position) || typeof position.line !== 'number' || typeof position.column !== 'number') return undefined;
  return { line: position.line, column: position.column };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
