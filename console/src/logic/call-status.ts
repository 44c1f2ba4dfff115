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
    text: "The arguments do not match the tool's input schema, or cannot be placed where its mapping puts them.",
  },
  upstream_4xx: { label: 'Upstream returned 4xx', text: 'The upstream API returned a status from 400 to 499.' },
  upstream_5xx: { label: 'Upstream returned 5xx', text: 'The upstream API returned a status of 500 or above.' },
  rate_limited_upstream: {
    label: 'Rate limited by upstream',
    text: 'The upstream API returned 429: too many requests.',
  },
  upstream_error: {
    label: 'Upstream reported an error',
    text: 'The upstream API returned an MCP result that reports an error.',
  },
  timeout: { label: 'Timed out', text: "The upstream API did not respond within the tool's timeout." },
  connection_refused: {
    label: 'Connection refused',
    text: 'The upstream host refused the connection: nothing listens on that port.',
  },
  connection_failed: {
    label: 'Connection failed',
    text: 'The upstream host is unreachable, or the connection closed before a response arrived.',
  },
  dns: { label: 'DNS lookup failed', text: "The host name in the tool's URL does not resolve." },
  tls: { label: 'TLS handshake failed', text: 'A TLS connection to the upstream API could not be established.' },
  blocked_destination: {
    label: 'Destination blocked',
    text: 'The egress rules of this service do not allow this address.',
  },
  too_large: { label: 'Response too large', text: 'The upstream response exceeds the size limit.' },
  bad_response: {
    label: 'Invalid response',
    text: 'The upstream response was truncated, malformed, or does not match the declared format.',
  },
  bad_credential: {
    label: 'Credential failed',
    text: "The tool's credential is missing, cannot be decrypted, or was rejected by the token endpoint.",
  },
  cancelled: { label: 'Cancelled by client', text: 'The client cancelled the call or disconnected before the result.' },
  internal: { label: 'Internal error', text: 'Toolgate itself failed. See the log of the service.' },
} as const satisfies Record<string, FailureDescription>;

export type FailureReason = keyof typeof failureReasons;
export type CallStatus = '' | 'success' | 'failed' | FailureReason;

export const reasons = Object.keys(failureReasons) as FailureReason[];

export function isReason(text: string): text is FailureReason {
  return Object.hasOwn(failureReasons, text);
}

export function isCallStatus(text: string): text is CallStatus {
  return text === '' || text === 'success' || text === 'failed' || isReason(text);
}

/** `Success`, `Timed out`. */
export function statusLabel(outcome: string, reason: string | null): string {
  if (outcome === 'success') return 'Success';
  if (reason === null) return 'Failed';
  return isReason(reason) ? failureReasons[reason].label : reason;
}

/** What happened, if the reason is known. */
export function describeFailure(reason: string | null): string | undefined {
  return reason !== null && isReason(reason) ? failureReasons[reason].text : undefined;
}

/** Whether a call matches a status filter, by the rules of the API. */
export function hasStatus(call: { outcome: string; reason: string | null }, status: CallStatus): boolean {
  if (status === '') return true;
  if (status === 'success' || status === 'failed') return call.outcome === status;
  return call.reason === status;
}
