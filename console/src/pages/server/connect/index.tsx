/** Connect: snippets for clients, and the connection status. */
import { useState } from 'preact/hooks';
import type { Server } from '../../../api/types';
import { currentQuery, setQuery } from '../../../app/router';
import type { PageProps } from '../../../app/routes';
import { signInClientFor } from '../../../logic/sign-in-steps';
import { isClient, keyPlaceholder, serverName } from '../../../logic/snippets';
import { ActivateCallout } from '../ActivateCallout';
import { ServerFrame } from '../ServerFrame';
import { ClientChoice } from './ClientChoice';
import { ConnectionStatus } from './ConnectionStatus';
import { KeyCard } from './KeyCard';
import { SignInGuideCard } from './SignInGuideCard';
import { SnippetCard } from './SnippetCard';
import './connect.css';

export default function ConnectTab({ params }: PageProps<'/servers/:id/connect'>) {
  return (
    <ServerFrame serverId={params.id} tab="connect">
      {(server, query, { edit }) => (
        <>
          {edit && <ActivateCallout server={server} onActivated={query.set} />}
          <ConnectPanel server={server} canEdit={edit} />
        </>
      )}
    </ServerFrame>
  );
}

function ConnectPanel({ server, canEdit }: { server: Server; canEdit: boolean }) {
  // Component state only: a key that is shown once must not be persisted.
  const [key, setKey] = useState('');
  const requestedClient = currentQuery.value.get('client') ?? '';
  const client = isClient(requestedClient) ? requestedClient : 'claude-desktop';
  const needsKey = server.auth_type === 'api-key';
  const guided = server.auth_type === 'oauth' ? signInClientFor(client) : undefined;
  return (
    <div class="connect">
      <ClientChoice current={client} onClient={(id) => setQuery({ client: id })} />
      <div class="stack">
        <ConnectionStatus serverId={server.id} client={client} />
        {needsKey && canEdit && <KeyCard serverId={server.id} value={key} onValue={setKey} />}
        {guided ? (
          <SignInGuideCard client={guided} server={server} />
        ) : (
          <SnippetCard
            client={client}
            target={{
              name: serverName(server.slug),
              url: server.endpoint_url,
              key: needsKey ? key.trim() || keyPlaceholder : undefined,
              signIn: server.auth_type === 'oauth',
            }}
          />
        )}
      </div>
    </div>
  );
}
