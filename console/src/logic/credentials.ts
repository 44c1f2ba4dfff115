/** Credential forms. The API never returns a stored credential: a form leaves it unchanged or replaces it. */

import { additionalKeys } from './additional-keys';

export const authTypes = ['none', 'bearer', 'basic', 'api-key', 'oauth2'] as const;

export type AuthType = (typeof authTypes)[number];

export const authLabels: Record<AuthType, string> = {
  none: 'None',
  bearer: 'Bearer token',
  basic: 'User name and password',
  'api-key': 'API key',
  oauth2: 'OAuth 2 client credentials',
};

export const authOptions = authTypes.map((value) => ({ value, label: authLabels[value] }));

export type Credentials = Readonly<Record<string, string>>;

export interface CredentialField {
  name: string;
  label: string;
  secret?: boolean;
  optional?: boolean;
  placeholder?: string;
  options?: readonly { value: string; label: string }[];
}

/** The form fields of each authentication type; `name` is the field name in the API. */
export const credentialFields: Record<AuthType, readonly CredentialField[]> = {
  none: [],
  bearer: [{ name: 'token', label: 'Token', secret: true }],
  basic: [
    { name: 'username', label: 'User name' },
    { name: 'password', label: 'Password', secret: true },
  ],
  'api-key': [
    { name: 'key_name', label: 'Name of the header, parameter, placeholder or cookie', placeholder: 'X-API-Key' },
    { name: 'key_value', label: 'Key', secret: true },
    {
      name: 'key_location',
      label: 'Send in',
      options: [
        { value: 'header', label: 'Header' },
        { value: 'query', label: 'Query' },
        { value: 'path', label: 'Path: fills {name} in the URL' },
        { value: 'cookie', label: 'Cookie' },
      ],
    },
  ],
  oauth2: [
    { name: 'token_url', label: 'Token URL', placeholder: 'https://auth.example.com/token' },
    { name: 'client_id', label: 'Client ID' },
    { name: 'client_secret', label: 'Client secret', secret: true },
    { name: 'scope', label: 'Scope', optional: true },
  ],
};

export interface CredentialForm {
  authType: AuthType;
  /** Undefined leaves the stored credential unchanged. */
  values: Record<string, string> | undefined;
}

export function isAuthType(value: unknown): value is AuthType {
  return authTypes.some((type) => type === value);
}

/** The form before any input. A stored credential stays unchanged; an unknown type is shown as `none`. */
export function initialCredentialForm(authType: unknown): CredentialForm {
  return isAuthType(authType) && authType !== 'none'
    ? { authType, values: undefined }
    : { authType: 'none', values: undefined };
}

/** The fields of an authentication type; none for an unknown type. */
export function fieldsOf(authType: string): readonly CredentialField[] {
  return isAuthType(authType) ? credentialFields[authType] : [];
}

/** Initial values: empty text, and the first option of each choice. */
export function initialValues(authType: string): Record<string, string> {
  return Object.fromEntries(fieldsOf(authType).map(({ name, options }) => [name, options?.[0]?.value ?? '']));
}

/** The values to send: only fields of this type; values typed for another type are left out. */
export function credentialsOf(authType: string, typedValues: Credentials): Record<string, unknown> {
  const initial = initialValues(authType);
  const values = fieldsOf(authType).map((field) => ({
    ...field,
    value: typedValues[field.name] ?? initial[field.name] ?? '',
  }));
  const sent = values.filter(({ value, optional }) => value !== '' || !optional);
  const keys = additionalKeys(authType, typedValues);
  return { ...Object.fromEntries(sent.map(({ name, value }) => [name, value])), ...(keys ? { keys } : {}) };
}

/** The request body. Without `auth_credentials` the API leaves the stored ones unchanged. */
export function credentialBody({ authType, values }: CredentialForm): {
  auth_type: AuthType;
  auth_credentials?: Record<string, unknown>;
} {
  if (authType === 'none' || values === undefined) return { auth_type: authType };
  return { auth_type: authType, auth_credentials: credentialsOf(authType, values) };
}
