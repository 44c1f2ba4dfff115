/** Texts for grants: the access that people gave programs. */
import type { Grant } from '../api/types';

export type ClientKind = 'registered' | 'metadata_document' | 'preregistered';

/** How a program became known. Its name is its own claim, except for those that an administrator registered. */
export const clientKinds: Record<ClientKind, { label: string; text: string }> = {
  registered: {
    label: 'Registered itself',
    text: 'The program registered itself. Its name is its own claim; nothing is verified.',
  },
  metadata_document: {
    label: 'Metadata document',
    text: 'The program has a metadata document. The host of its address is verified; its name is its own claim.',
  },
  preregistered: { label: 'Pre-registered', text: 'An administrator registered the program.' },
};

export function isClientKind(kind: string): kind is ClientKind {
  return Object.hasOwn(clientKinds, kind);
}

export function kindLabel(kind: string): string {
  return isClientKind(kind) ? clientKinds[kind].label : kind;
}

/** What is known about a program, in a few words. */
export function kindDetail({ client_kind, client_id }: Pick<Grant, 'client_kind' | 'client_id'>): string {
  if (client_kind === 'registered') return 'registered itself, not verified';
  if (client_kind === 'preregistered') return 'registered by an administrator';
  return URL.canParse(client_id) ? `verified: ${new URL(client_id).host}` : kindLabel(client_kind);
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]', '::1'];

/** Where the answer with the code was sent: a host, the scheme of a program, or the computer of the person. */
export function answerTarget(redirectHost: string, isOwn: boolean): string {
  if (!loopbackHosts.includes(redirectHost)) return redirectHost;
  return isOwn ? 'a program on your computer' : 'a program on their computer';
}

/** What the program may do. `mcp:write` includes reading. */
export function scopeLabel(scopes: readonly string[]): string {
  return scopes.includes('mcp:write') ? 'Read and change' : 'Read';
}
