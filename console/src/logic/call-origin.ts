/** Who made the calls of a report: an endpoint key, a user, or a client without a key. */

export interface Credential {
  endpoint_key_id: number | null;
  endpoint_key_name: string | null;
  user_id: number | null;
  user_name: string | null;
}

/** The name of the key or the user, with its id if the name is unknown. */
export function credentialLabel(credential: Credential): string {
  const { endpoint_key_id, endpoint_key_name, user_id, user_name } = credential;
  if (endpoint_key_id !== null) return endpoint_key_name ?? `key ${endpoint_key_id}`;
  if (user_id !== null) return user_name === null ? `user ${user_id}` : `${user_name} (user)`;
  return 'no key';
}

/** Whether a text is an IPv4 or IPv6 address; the API rejects other text. */
export function isAddress(text: string): boolean {
  const parts = text.split('.');
  if (parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return true;
  return /^[0-9a-f:.]+$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`);
}
