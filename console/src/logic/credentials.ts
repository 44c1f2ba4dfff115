/** What each way to authenticate needs. */

export type Credentials = Readonly<Record<string, string>>;

export interface CredentialField {
  /** As the API spells it. */
  id: string;
  label: string;
  secret: boolean;
  placeholder?: string;
  optional?: boolean;
}

export const authTypes = [
  { value: 'none', label: 'None' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'basic', label: 'User name and password' },
  { value: 'api-key', label: 'API key' },
  { value: 'oauth2', label: 'OAuth 2 client credentials' },
] as const;

const fields: Record<string, readonly CredentialField[]> = {
  bearer: [{ id: 'token', label: 'Token', secret: true }],
  basic: [
    { id: 'username', label: 'User name', secret: false },
    { id: 'password', label: 'Password', secret: true },
  ],
  'api-key': [
    { id: 'key_name', label: 'Name of the header or query parameter', secret: false, placeholder: 'X-API-Key' },
    { id: 'key_value', label: 'Key', secret: true },
  ],
  oauth2: [
    { id: 'token_url', label: 'Token URL', secret: false, placeholder: 'https://auth.example.com/oauth/token' },
    { id: 'client_id', label: 'Client ID', secret: false },
    { id: 'client_secret', label: 'Client secret', secret: true },
    { id: 'scope', label: 'Scope', secret: false, optional: true },
  ],
};

export function credentialFields(authType: string): readonly CredentialField[] {
  return fields[authType] ?? [];
}

/** What is sent: only what belongs to the type; what was typed for another one stays behind. */
export function credentialsOf(authType: string, typed: Credentials): Record<string, string> {
  const values = credentialFields(authType)
    .map(({ id, optional }) => ({ id, value: typed[id] ?? '', optional }))
    .filter(({ value, optional }) => value !== '' || !optional)
    .map(({ id, value }) => [id, value]);
  if (authType === 'api-key') values.push(['key_location', typed.key_location ?? 'header']);
  return Object.fromEntries(values);
}
