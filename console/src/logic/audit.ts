/** The audit log: its filters, with the parameter names of the API, and the text of a change. */
import type { AuditEntry } from '../api/types';
import { readTime } from './call-filter';
import { readId } from './id';

export const auditActions = [
  { value: '', label: 'All changes' },
  { value: 'create', label: 'Created' },
  { value: 'update', label: 'Changed' },
  { value: 'delete', label: 'Deleted' },
  { value: 'toggle', label: 'Activated or paused' },
  { value: 'duplicate', label: 'Duplicated' },
  { value: 'reorder', label: 'Reordered' },
  { value: 'import', label: 'Imported' },
  { value: 'consent', label: 'Access allowed' },
  { value: 'deny', label: 'Access denied' },
  { value: 'reuse', label: 'Token reused' },
  { value: 'sign_in', label: 'Signed in' },
  { value: 'sign_in_failed', label: 'Sign-in failed' },
] as const;

export type AuditAction = (typeof auditActions)[number]['value'];

export const auditKinds = [
  { value: '', label: 'All objects' },
  { value: 'server', label: 'Servers' },
  { value: 'tool', label: 'Tools' },
  { value: 'prompt', label: 'Prompts' },
  { value: 'resource', label: 'Resources' },
  { value: 'credential', label: 'Credentials' },
  { value: 'document', label: 'Documents' },
  { value: 'endpoint_key', label: 'Endpoint keys' },
  { value: 'member', label: 'Members' },
  { value: 'oauth_client', label: 'OAuth clients' },
  { value: 'grant', label: 'Connected apps' },
  { value: 'session', label: 'Sign-ins' },
  { value: 'identity', label: 'Linked accounts' },
  { value: 'user', label: 'Users' },
  { value: 'api_key', label: 'API keys' },
] as const;

export type AuditKind = (typeof auditKinds)[number]['value'];

export interface AuditFilter {
  user: number | undefined;
  server: number | undefined;
  object_kind: AuditKind;
  object_id: number | undefined;
  action: AuditAction;
  /** UTC; a day or a time; empty for no bound. */
  from: string;
  to: string;
}

/** Drops values that the API would reject. */
export function readAuditFilter(query: URLSearchParams): AuditFilter {
  return {
    user: readId(query.get('user')),
    server: readId(query.get('server')),
    object_kind: auditKinds.find(({ value }) => value === query.get('object_kind'))?.value ?? '',
    object_id: readId(query.get('object_id')),
    action: auditActions.find(({ value }) => value === query.get('action'))?.value ?? '',
    from: readTime(query.get('from')),
    to: readTime(query.get('to')),
  };
}

export function hasAuditFilter(filter: AuditFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== '');
}

const kindNouns: Record<string, string> = {
  endpoint_key: 'endpoint key',
  api_key: 'API key',
  oauth_client: 'OAuth client',
  identity: 'linked account',
};

/** `Changed: tool`. */
export function changeLabel({ action, object_kind }: Pick<AuditEntry, 'action' | 'object_kind'>): string {
  const noun = kindNouns[object_kind] ?? object_kind;
  if (action === 'reorder') return `Reordered the tools of ${noun}`;
  if (action === 'import') return `Imported tools into ${noun}`;
  const verb = auditActions.find(({ value }) => value === action)?.label ?? action;
  return `${verb}: ${noun}`;
}

/** The name of the API key, or its id; undefined without a key, as for changes in a browser session. */
export function auditKeyName({ key_id, key_name }: Pick<AuditEntry, 'key_id' | 'key_name'>): string | undefined {
  return key_name ?? key_id?.toString();
}
