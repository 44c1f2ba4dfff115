import type { OAuthClient } from '../../api/types';

/** The address of the page of a client. */
export function clientHref({ id }: Pick<OAuthClient, 'id'>): string {
  return `/oauth-clients/${id}`;
}
