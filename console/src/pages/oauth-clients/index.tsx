/** One OAuth client: what is known about it, and what an administrator can do with it. */
import type { ComponentChildren } from 'preact';
import { get } from '../../api/client';
import type { OAuthClient } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { Link } from '../../app/Link';
import type { PageProps } from '../../app/routes';
import { clientKinds, isClientKind, kindLabel } from '../../logic/grants';
import { methodLabel } from '../../logic/oauth-client-form';
import { Badge } from '../../ui/Badge';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { CopyText } from '../../ui/CopyButton';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';
import { ClientActions } from './ClientActions';
import './oauth-clients.css';

export default function OAuthClientPage({ params }: PageProps<'/oauth-clients/:id'>) {
  const query = useQuery(
    async (signal) => (await get('/oauth/clients/{id}', { path: params, signal })).data,
    [params.id],
  );
  const client = query.data;
  return (
    <>
      <PageHeader
        title={client?.name ?? 'OAuth client'}
        badge={client?.status === 'blocked' && <Badge tone="bad">blocked</Badge>}
        back={{ href: '/keys?tab=clients', label: 'OAuth clients' }}
        actions={client && <ClientActions client={client} onChanged={query.set} />}
      />
      {query.error && <LoadError title="Could not load the client" error={query.error} onRetry={query.reload} />}
      {query.loading && <Skeleton lines={6} />}
      {client && <Details client={client} />}
    </>
  );
}

function Details({ client }: { client: OAuthClient }) {
  return (
    <div class="stack oauth-clients">
      {client.status === 'blocked' && (
        <Callout tone="warn" title="Blocked">
          The client cannot ask for access, and the access that it had has ended.
        </Callout>
      )}
      <Card
        title="About this client"
        description={isClientKind(client.kind) ? clientKinds[client.kind].text : undefined}
      >
        <dl class="oauth-clients-facts">
          <Fact label="Name">
            <bdi>{client.name}</bdi>
          </Fact>
          <Fact label="Kind">{kindLabel(client.kind)}</Fact>
          <Fact label="Client ID">
            <CopyText text={client.client_id} label="Copy the client ID" />
          </Fact>
          <Fact label="Redirect URIs">
            <ul class="oauth-clients-uris">
              {client.redirect_uris.map((uri) => (
                <li key={uri}>
                  <code>{uri}</code>
                </li>
              ))}
            </ul>
          </Fact>
          <Fact label="Client authentication">{methodLabel(client.token_endpoint_auth_method)}</Fact>
          <Fact label="Registered">
            <Time value={client.created_at} absolute />
          </Fact>
          <Fact label="Last allowed">
            {client.last_consent_at === null ? 'never' : <Time value={client.last_consent_at} absolute />}
          </Fact>
        </dl>
      </Card>
      <p class="small">
        <Link href={`/audit?object_kind=oauth_client&object_id=${client.id}`}>Changes to this client</Link>
      </p>
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="oauth-clients-fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
