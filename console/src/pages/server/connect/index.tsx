/** How clients reach a server, and whether one did. */
import { useState } from 'preact/hooks';
import type { Server } from '../../../api/types';
import { currentQuery, setQuery } from '../../../app/router';
import type { PageProps } from '../../../app/routes';
import { isClient, keyPlaceholder, serverName } from '../../../logic/snippets';
import { ActivateCallout } from '../ActivateCallout';
import { ServerFrame } from '../ServerFrame';
import { ClientChoice } from './ClientChoice';
import { KeyCard } from './KeyCard';
import { SnippetCard } from './SnippetCard';
import { WaitingLight } from './WaitingLight';
import './connect.css';

export default function ConnectTab({ params }: PageProps<'/servers/:id/connect'>) {
  return (
    <ServerFrame serverId={params.id} tab="connect">
      {(server, query) => (
        <>
          <ActivateCallout server={server} onActivated={query.set} />
          <ConnectPanel server={server} />
        </>
      )}
    </ServerFrame>
  );
}

function ConnectPanel({ server }: { server: Server }) {
  // For this page only: a key that is shown once must not turn up in a place where it stays.
  const [key, setKey] = useState('');
  const chosen = currentQuery.value.get('client') ?? '';
  const client = isClient(chosen) ? chosen : 'claude-desktop';
  const wantsKey = server.auth_type === 'api-key';
  return (
    <div class="connect">
      <ClientChoice current={client} onClient={(id) => setQuery({ client: id })} />
      <div class="stack">
        <WaitingLight serverId={server.id} client={client} />
        {wantsKey && <KeyCard serverId={server.id} value={key} onValue={setKey} />}
        <SnippetCard
          client={client}
          target={{
            name: serverName(server.slug),
            url: server.endpoint_url,
            key: wantsKey ? key.trim() || keyPlaceholder : undefined,
          }}
        />
      </div>
    </div>
  );
}
