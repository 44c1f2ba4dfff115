/** Whether a client found its way to a server: told by the live stream, or by the log if that was a moment ago. */
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

/** As long as this, a client counts as connected without being heard of again. */
const rememberedMs = 10 * 60_000;

/** What the stream told while some page listened: going from tab to tab does not put the light out. */
const heard = new Map<number, Connection>();

export function useConnection(serverId: number): { connection: Connection | undefined; listening: boolean } {
  const [live, setLive] = useState(heard.get(serverId));
  const hear = ({ time, client_type, client_name }: Connection) => {
    const connection = { time, client_type, client_name };
    heard.set(serverId, connection);
    setLive(connection);
  };
  const state = useStream({ server: serverId }, { onClientConnected: hear, onCall: hear });
  const logged = useQuery((signal) => lastCall(serverId, signal), [serverId]);
  const connection = live ?? logged.data;
  return { connection: connection && isRecent(connection) ? connection : undefined, listening: state === 'open' };
}

/** Calls tell of a client, too, and unlike connections they are kept. */
async function lastCall(serverId: number, signal: AbortSignal): Promise<Connection | undefined> {
  const from = new Date(Date.now() - rememberedMs).toISOString().slice(0, 19);
  const { data } = await get('/calls', { query: { server: serverId, from, per_page: 1 }, signal });
  return data[0];
}

function isRecent({ time }: Connection): boolean {
  return Date.now() - parseTime(time).getTime() < rememberedMs;
}
