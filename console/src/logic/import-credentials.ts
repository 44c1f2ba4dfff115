/** Credentials that the user enters for an import, once for each security scheme of the document. */
import type { SchemeKey, SecurityScheme } from './api-import';
import { type CredentialField, fieldsOf } from './credentials';

/** Typed values by field, for each scheme. */
export type SchemeValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The fields that the user must fill in; the document specifies the others. */
export function schemeFields(scheme: SecurityScheme): CredentialField[] {
  const keys = scheme.auth_credentials?.keys ?? [];
  const known = new Map(fieldsOf(scheme.auth_type).map((field) => [field.name, field]));
  return scheme.needs.flatMap((need) => {
    if (need === 'keys')
      return keys.map((key, index) => ({ name: `keys.${index}`, label: keyLabel(key), secret: true }));
    return [known.get(need) ?? { name: need, label: need, secret: true }];
  });
}

function keyLabel({ key_name, key_location, prefix }: SchemeKey): string {
  if (prefix?.startsWith('Basic')) return 'User name and password, as name:password';
  if (prefix?.startsWith('Bearer')) return 'Token';
  return `${key_name} (${key_location})`;
}

/** Where calls send the credential, according to the document: `header X-API-Key`. */
export function schemeDestination({ auth_credentials }: SecurityScheme): string | undefined {
  const { key_name, key_location, token_url } = auth_credentials ?? {};
  if (typeof key_name === 'string') return `${String(key_location ?? 'header')} ${key_name}`;
  return typeof token_url === 'string' ? `token from ${token_url}` : undefined;
}

/** Whether any value of the scheme is typed. */
export function isGiven(values: SchemeValues, name: string): boolean {
  return Object.values(values[name] ?? {}).some((value) => value !== '');
}

/** The argument `credentials` of the commit: only schemes for which the user typed a value. */
export function buildCredentials(
  schemes: readonly SecurityScheme[],
  values: SchemeValues,
): Record<string, Record<string, unknown>> {
  const given = schemes.filter(({ name }) => isGiven(values, name));
  return Object.fromEntries(given.map((scheme) => [scheme.name, schemeCredentials(scheme, values[scheme.name] ?? {})]));
}

/** The argument `credentials` of the preview: it needs the names of the schemes, but not the secrets. */
export function givenNames(schemes: readonly SecurityScheme[], values: SchemeValues): Record<string, object> {
  return Object.fromEntries(schemes.filter(({ name }) => isGiven(values, name)).map(({ name }) => [name, {}]));
}

function schemeCredentials(scheme: SecurityScheme, typed: Readonly<Record<string, string>>): Record<string, unknown> {
  const plain = scheme.needs.filter((need) => need !== 'keys').map((need) => [need, typed[need] ?? ''] as const);
  if (!scheme.needs.includes('keys')) return Object.fromEntries(plain);
  const keys = (scheme.auth_credentials?.keys ?? []).map(({ prefix, key_name, key_location }, index) => ({
    key_name,
    key_location,
    key_value: withPrefix(prefix, typed[`keys.${index}`] ?? ''),
  }));
  return { ...Object.fromEntries(plain), keys };
}

function withPrefix(prefix: string | undefined, value: string): string {
  if (prefix === undefined || value === '' || value.startsWith(prefix)) return value;
  return prefix + (prefix.startsWith('Basic') && value.includes(':') ? base64(value) : value);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
