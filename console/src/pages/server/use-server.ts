/** One server, for its tabs. The last answer is remembered, so that going from tab to tab does not blink. */
import { get } from '../../api/client';
import type { Server } from '../../api/types';
import { type Query, useQuery } from '../../api/use-query';

const remembered = new Map<number, Server>();

export function useServer(id: number): Query<Server> {
  return useQuery(
    async (signal) => {
      const { data } = await get('/servers/{id}', { path: { id }, signal });
      remembered.set(id, data);
      return data;
    },
    [id],
    remembered.get(id),
  );
}
