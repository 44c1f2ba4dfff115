/** Waits for a client to look at the server, and turns green when one did. */

import { Link } from '../../../app/Link';
import { type ClientId, clientLabel, clients } from '../../../logic/snippets';
import { Time } from '../../../ui/Time';
import { useConnection } from './use-connection';

export function WaitingLight({ serverId, client }: { serverId: number; client: ClientId }) {
  const { connection, listening } = useConnection(serverId);
  return (
    <div class={connection ? 'connect-light connect-light-on' : 'connect-light'} role="status">
      <span class="connect-dot" aria-hidden="true" />
      <div class="grow">
        {connection ? (
          <>
            <p class="connect-said">{clientLabel(connection.client_type, connection.client_name)} is connected</p>
            <p class="connect-more">
              Last heard <Time value={connection.time} />
            </p>
          </>
        ) : (
          <>
            <p class="connect-said">Waiting for a client…</p>
            <p class="connect-more">
              {listening
                ? `Set ${clients[client].label} up as below: this turns green when it connects.`
                : 'Connecting to the live stream…'}
            </p>
          </>
        )}
      </div>
      {connection && <Link href={`/calls?server=${serverId}`}>See its calls</Link>}
    </div>
  );
}
