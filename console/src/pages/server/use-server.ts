/** One server, for its tabs. The last answer is remembered, so that going from tab to tab does not blink. */
import { get } from '../../api/client';
import type { Server } from '../../api/types';
import { type Query, useQuery } from '../../api/use-query';

const remembered = new Map<number, Server>();

export function useServer(id: number): Query<Server> {
  const query = useQuery(
    async (signal) => {
      const { data } = await get('/servers/{id}', { path: { id }, signal });
      remembered.set(id, data);
      return data;
    },
    [id],
    remembered.get(id),
  );
  // What a tab changed is known to the next one, too.
  const set = (server: Server) => {
    remembered.set(id, server);
    query.set(server);
  };
  return { ...query, set };
}
