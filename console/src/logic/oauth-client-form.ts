/** The form with which an administrator registers a program as an OAuth client. */

export const authMethods = [
  { value: 'none', label: 'No secret (most AI clients)' },
  { value: 'client_secret_post', label: 'Secret in the body of the request' },
  { value: 'client_secret_basic', label: 'Secret in the header of the request (Basic)' },
] as const;

export type AuthMethod = (typeof authMethods)[number]['value'];

export interface OAuthClientForm {
  name: string;
  /** One per line. */
  redirectUris: string;
  method: AuthMethod;
}

export const newOAuthClient: OAuthClientForm = { name: '', redirectUris: '', method: 'none' };

export function oauthClientBody({ name, redirectUris, method }: OAuthClientForm) {
  return { name, redirect_uris: redirectLines(redirectUris), token_endpoint_auth_method: method };
}

/** `redirect_uris[1]: must be https.` becomes `Address 2: must be https.` */
export function redirectError(error: string | undefined): string | undefined {
  return error?.replaceAll(/redirect_uris\[(\d+)\]/g, (_, index: string) => `Address ${Number(index) + 1}`);
}

const shortMethodLabels: Record<string, string> = {
  none: 'No secret',
  client_secret_post: 'Secret in the body',
  client_secret_basic: 'Secret in the header',
};

export function methodLabel(method: string): string {
  return shortMethodLabels[method] ?? method;
}

function redirectLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
