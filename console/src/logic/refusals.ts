/** Labels of the reasons for which an endpoint refuses a request. */

const reasonLabels: Record<string, string> = {
  missing_key: 'No key or token',
  unknown_key: 'Unknown or revoked key or token',
  expired_key: 'Expired key or token',
  disabled_user: 'Key of a disabled user',
  forbidden_host: 'Host not allowed',
  forbidden_origin: 'Origin not allowed',
  rate_limit: 'Rate limit of the server',
  key_rate_limit: 'Rate limit of the key',
  insufficient_scope: 'Token allows reading only',
  not_allowed: 'Token claims do not match the rules',
};

/** An unknown reason, for example of a newer service, is shown as it is. */
export function refusalLabel(reason: string): string {
  return reasonLabels[reason] ?? reason;
}
