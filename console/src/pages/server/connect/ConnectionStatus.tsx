/** Shows whether a client has connected to the server. */

import { Link } from '../../../app/Link';
import { type ClientId, clientLabel, clients } from '../../../logic/snippets';
import { Time } from '../../../ui/Time';
import { useConnection } from './use-connection';

export function ConnectionStatus({ serverId, client }: { serverId: number; client: ClientId }) {
  const { connection, listening } = useConnection(serverId);
  return (
    <div class={connection ? 'connect-status connect-status-on' : 'connect-status'} role="status">
      <span class="connect-dot" aria-hidden="true" />
      <div class="grow">
        {connection ? (
          <>
            <p class="connect-title">{clientLabel(connection.client_type, connection.client_name)} is connected</p>
            <p class="connect-detail">
              Last seen <Time value={connection.time} />
            </p>
          </>
        ) : (
          <>
            <p class="connect-title">Waiting for a client…</p>
            <p class="connect-detail">
              {listening
                ? `Set up ${clients[client].label} as shown below; this turns green when it connects.`
                : 'Connecting to the live stream…'}
            </p>
          </>
        )}
      </div>
      {connection && <Link href={`/calls?server=${serverId}`}>View calls</Link>}
    </div>
  );
}
