/** Loads a server for its tabs. The last response is cached, so that switching tabs does not flicker. */
import { get } from '../../api/client';
import type { Server } from '../../api/types';
import { type Query, useQuery } from '../../api/use-query';

const serverCache = new Map<number, Server>();

export function useServer(id: number): Query<Server> {
  const query = useQuery(
    async (signal) => {
      const { data } = await get('/servers/{id}', { path: { id }, signal });
      serverCache.set(id, data);
      return data;
    },
    [id],
    serverCache.get(id),
  );
  // Updates the cache, so that other tabs see the change.
  const set = (server: Server) => {
    serverCache.set(id, server);
    query.set(server);
  };
  return { ...query, set };
}
