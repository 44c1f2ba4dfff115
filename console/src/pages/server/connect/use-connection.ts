/** The last client connection of a server, from the live stream or recent calls. */
import { useState } from 'preact/hooks';
import { get } from '../../../api/client';
import { useQuery } from '../../../api/use-query';
import { useStream } from '../../../api/use-stream';
import { parseTime } from '../../../logic/format';

export interface Connection {
  time: string;
  client_type: string;
  client_name: string | null;
}

/** A client is shown as connected for this long after its last request. */
const connectedWindowMs = 10 * 60_000;

/** Connections reported by the stream, cached so that switching tabs does not reset the status. */
const recentConnections = new Map<number, Connection>();

export function useConnection(serverId: number): { connection: Connection | undefined; listening: boolean } {
  const [liveConnection, setLiveConnection] = useState(recentConnections.get(serverId));
  const onConnection = ({ time, client_type, client_name }: Connection) => {
    const connection = { time, client_type, client_name };
    recentConnections.set(serverId, connection);
    setLiveConnection(connection);
  };
  const state = useStream({ server: serverId }, { onClientConnected: onConnection, onCall: onConnection });
  const loggedConnection = useQuery((signal) => lastCall(serverId, signal), [serverId]);
  const connection = liveConnection ?? loggedConnection.data;
  return { connection: connection && isRecent(connection) ? connection : undefined, listening: state === 'open' };
}

/** Calls also show that a client is connected, and unlike connection events they are stored. */
async function lastCall(serverId: number, signal: AbortSignal): Promise<Connection | undefined> {
  const from = new Date(Date.now() - connectedWindowMs).toISOString().slice(0, 19);
  const { data } = await get('/calls', { query: { server: serverId, from, per_page: 1 }, signal });
  return data[0];
}

function isRecent({ time }: Connection): boolean {
  return Date.now() - parseTime(time).getTime() < connectedWindowMs;
}
