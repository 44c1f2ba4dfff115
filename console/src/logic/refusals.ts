/** Labels of the reasons for which an endpoint refuses a request. */

const reasonLabels: Record<string, string> = {
  missing_key: 'No key',
  unknown_key: 'Unknown or revoked key',
  expired_key: 'Expired key',
  disabled_user: 'Key of a disabled user',
  forbidden_host: 'Foreign Host header',
  forbidden_origin: 'Origin not allowed',
  rate_limit: 'Rate limit of the server',
  key_rate_limit: 'Rate limit of the key',
};

/** A reason of a newer service is shown by its name. */
export function refusalLabel(reason: string): string {
  return reasonLabels[reason] ?? reason;
}
