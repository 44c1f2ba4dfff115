/** Texts for grants: the access that people gave to OAuth clients. */
import type { Grant } from '../api/types';

export type ClientKind = 'registered' | 'metadata_document' | 'preregistered';

/** How a client was registered. A client chooses its own name, unless an administrator registered it. */
export const clientKinds: Record<ClientKind, { label: string; text: string }> = {
  registered: {
    label: 'Registered itself',
    text: 'The client registered itself. It chose its own name, and nothing about it is verified.',
  },
  metadata_document: {
    label: 'Metadata document',
    text: 'The client has a metadata document. The host in its address is verified, but the client chose its own name.',
  },
  preregistered: { label: 'Pre-registered', text: 'An administrator registered the client.' },
};

export function isClientKind(kind: string): kind is ClientKind {
  return Object.hasOwn(clientKinds, kind);
}

export function kindLabel(kind: string): string {
  return isClientKind(kind) ? clientKinds[kind].label : kind;
}

/** What is known about a client, in a few words. */
export function kindDetail({ client_kind, client_id }: Pick<Grant, 'client_kind' | 'client_id'>): string {
  if (client_kind === 'registered') return 'registered itself, not verified';
  if (client_kind === 'preregistered') return 'registered by an administrator';
  return URL.canParse(client_id) ? `verified: ${new URL(client_id).host}` : kindLabel(client_kind);
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]', '::1'];

/** Where the authorization code was sent: a host, the URL scheme of a program, or the computer of the user. */
export function redirectTarget(redirectHost: string, isOwn: boolean): string {
  if (!loopbackHosts.includes(redirectHost)) return redirectHost;
  return isOwn ? 'a program on your computer' : 'a program on their computer';
}

/** What the client may do. `mcp:write` includes reading. */
export function scopeLabel(scopes: readonly string[]): string {
  return scopes.includes('mcp:write') ? 'Read and change' : 'Read';
}
