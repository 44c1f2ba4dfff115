/** What became of a call, in words. The set of reasons is closed (docs/analytics.md); a new one is shown as it is. */

export interface Explanation {
  /** For a row of the log. */
  label: string;
  /** What happened, in a sentence. */
  text: string;
}

export const failures = {
  bad_arguments: {
    label: 'Bad arguments',
    text: "The arguments do not fit the tool's schema, or cannot be put where its mapping says.",
  },
  upstream_4xx: { label: 'API refused it', text: 'The API answered with a status from 400 to 499.' },
  upstream_5xx: { label: 'API failed', text: 'The API answered with a status of 500 or above.' },
  rate_limited_upstream: { label: 'API rate limit', text: 'The API answered 429: too many requests.' },
  upstream_error: { label: 'API reported an error', text: 'The API speaks MCP, and its result says that it failed.' },
  timeout: { label: 'Timed out', text: "The API did not answer within the tool's time." },
  connection_refused: { label: 'Connection refused', text: 'Nobody listens at the address of the API.' },
  connection_failed: {
    label: 'Connection failed',
    text: 'There is no way to the API, or the connection broke before an answer came.',
  },
  dns: { label: 'Unknown host', text: "The name in the tool's address does not resolve." },
  tls: { label: 'No secure connection', text: 'No secure connection to the API could be made.' },
  blocked_destination: { label: 'Blocked address', text: 'The address is one that this service does not call.' },
  too_large: { label: 'Answer too large', text: 'The answer of the API is larger than is read.' },
  bad_response: {
    label: 'Broken answer',
    text: 'The answer of the API was cut off, badly framed or not of the declared shape.',
  },
  bad_credential: {
    label: 'Bad credential',
    text: "The tool's credential is missing, cannot be read, or was refused when a token was asked for.",
  },
  cancelled: { label: 'Cancelled', text: 'The client went away before there was an answer.' },
  internal: { label: 'Internal fault', text: 'This is a fault of Toolgate. The log of the service says more.' },
} as const satisfies Record<string, Explanation>;

export type Reason = keyof typeof failures;
export type CallStatus = '' | 'success' | 'failed' | Reason;

export const reasons = Object.keys(failures) as Reason[];

export function isReason(text: string): text is Reason {
  return Object.hasOwn(failures, text);
}

export function isCallStatus(text: string): text is CallStatus {
  return text === '' || text === 'success' || text === 'failed' || isReason(text);
}

/** `Success`, `Timed out`. */
export function statusLabel(outcome: string, reason: string | null): string {
  if (outcome === 'success') return 'Success';
  if (reason === null) return 'Failed';
  return isReason(reason) ? failures[reason].label : reason;
}

/** Why it failed, where it is known. */
export function explain(reason: string | null): string | undefined {
  return reason !== null && isReason(reason) ? failures[reason].text : undefined;
}

/** Whether a call belongs into a log that is filtered by the status, as the API filters it. */
export function hasStatus(call: { outcome: string; reason: string | null }, status: CallStatus): boolean {
  if (status === '') return true;
  if (status === 'success' || status === 'failed') return call.outcome === status;
  return call.reason === status;
}
