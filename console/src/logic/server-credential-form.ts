/** The form of a credential of a server, and the request that saves it. */
import type { ServerCredential } from '../api/types';
import {
  type AuthType,
  authOptions,
  type CredentialForm,
  credentialsOf,
  initialValues,
  isAuthType,
} from './credentials';

export interface ServerCredentialForm {
  name: string;
  credential: CredentialForm;
}

/** The API parameters that the form has a field for. */
export const serverCredentialFields = ['name', 'auth_type', 'auth_credentials'];

export const sharedAuthOptions = authOptions.filter(({ value }) => value !== 'none');

export const newServerCredential: ServerCredentialForm = {
  name: '',
  credential: { authType: 'bearer', values: initialValues('bearer') },
};

/** Stored values are never sent to the console, so the form shows empty fields only if none are stored. */
export function toServerCredentialForm(saved: ServerCredential): ServerCredentialForm {
  const authType = savedAuthType(saved);
  return {
    name: saved.name,
    credential: { authType, values: saved.has_credentials ? undefined : initialValues(authType) },
  };
}

function savedAuthType(saved: ServerCredential): AuthType {
  return isAuthType(saved.auth_type) ? saved.auth_type : 'bearer';
}

export interface ServerCredentialBody {
  name: string;
  auth_type: Exclude<AuthType, 'none'>;
  auth_credentials?: Record<string, unknown>;
}

/** Empty fields are not sent: the values can be added later. */
export function serverCredentialBody({ name, credential }: ServerCredentialForm): ServerCredentialBody {
  const { authType, values } = credential;
  const body = { name: name.trim(), auth_type: authType === 'none' ? 'bearer' : authType };
  const initial = initialValues(authType);
  const isTyped = Object.entries(values ?? {}).some(([field, value]) => value !== (initial[field] ?? ''));
  return values && isTyped ? { ...body, auth_credentials: credentialsOf(authType, values) } : body;
}

/** What happens to the tools of a credential that is deleted. */
export function deletionText({ tools_count }: Pick<ServerCredential, 'tools_count'>): string {
  if (tools_count === 0) return 'No tool uses it.';
  const tools = tools_count === 1 ? '1 tool uses it. Its' : `${tools_count} tools use it. Their`;
  return `${tools} calls fail until you set other credentials; no request is sent without authentication.`;
}
