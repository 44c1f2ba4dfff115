/** Labels of call outcomes and failure reasons, used by every page. An unknown reason is shown as its identifier. */

export interface FailureDescription {
  /** Short name, for tables. */
  label: string;
  /** What happened, in one sentence. */
  text: string;
}

export const failureReasons = {
  bad_arguments: {
    label: 'Invalid arguments',
    text: "The arguments do not match the tool's input schema, or cannot be encoded for their location in the request.",
  },
  upstream_4xx: {
    label: 'Upstream returned 4xx',
    text: 'The upstream API returned a status from 400 to 499, other than 429.',
  },
  upstream_5xx: {
    label: 'Upstream returned 5xx',
    text: 'The upstream API or its token endpoint returned a status of 500 or above.',
  },
  rate_limited_upstream: {
    label: 'Rate limited by upstream',
    text: 'The upstream API or its token endpoint returned status 429 (too many requests).',
  },
  upstream_error: {
    label: 'Upstream reported an error',
    text: 'The upstream API returned an MCP result that is marked as an error.',
  },
  timeout: {
    label: 'Timed out',
    text: "The response was not complete within the tool's timeout, or the token endpoint did not respond in time.",
  },
  connection_refused: {
    label: 'Connection refused',
    text: 'The upstream host refused the connection. Usually no service listens on that port.',
  },
  connection_failed: {
    label: 'Connection failed',
    text: 'The upstream host is unreachable, or the connection closed before a response arrived.',
  },
  dns: { label: 'DNS lookup failed', text: 'The host name of the upstream API does not resolve.' },
  tls: { label: 'TLS handshake failed', text: 'A TLS connection to the upstream API could not be established.' },
  blocked_destination: {
    label: 'Destination blocked',
    text: 'The address of the upstream API is not an allowed destination of this service.',
  },
  too_large: { label: 'Response too large', text: 'The upstream response exceeds the size limit.' },
  bad_response: {
    label: 'Invalid response',
    text: 'The upstream response is truncated or malformed, is a redirect that cannot be followed, or does not have the format that the tool declares.',
  },
  bad_credential: {
    label: 'Credential failed',
    text: "The tool's credential is missing or cannot be decrypted, or the token endpoint issued no usable token for it.",
  },
  cancelled: {
    label: 'Cancelled by client',
    text: 'The client cancelled the call or disconnected before it received the result.',
  },
  internal: {
    label: 'Internal error',
    text: 'Toolgate failed, or the stored tool cannot be used. See the log of the service.',
  },
} as const satisfies Record<string, FailureDescription>;

export type FailureReason = keyof typeof failureReasons;
/** Value of the status filter; empty for any status. */
export type StatusFilter = '' | 'success' | 'failed' | FailureReason;

export const reasons = Object.keys(failureReasons) as FailureReason[];

export function isReason(text: string): text is FailureReason {
  return Object.hasOwn(failureReasons, text);
}

export function isStatusFilter(text: string): text is StatusFilter {
  return text === '' || text === 'success' || text === 'failed' || isReason(text);
}

/** `Success`, `Timed out`. */
export function statusLabel(outcome: string, reason: string | null): string {
  if (outcome === 'success') return 'Success';
  if (reason === null) return 'Failed';
  return isReason(reason) ? failureReasons[reason].label : reason;
}

/** What happened; undefined for an unknown reason. */
export function describeFailure(reason: string | null): string | undefined {
  return reason !== null && isReason(reason) ? failureReasons[reason].text : undefined;
}

/** Whether a call matches a status filter, by the rules of the API. */
export function hasStatus(call: { outcome: string; reason: string | null }, status: StatusFilter): boolean {
  if (status === '') return true;
  if (status === 'success' || status === 'failed') return call.outcome === status;
  return call.reason === status;
}
