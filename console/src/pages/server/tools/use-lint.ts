/** Loads the lint result of a server: the token cost of its tool list, and findings. */
import { get } from '../../../api/client';
import type { ServerLint } from '../../../api/types';
import { type Query, useQuery } from '../../../api/use-query';

export function useLint(serverId: number): Query<ServerLint> {
  return useQuery(
    async (signal) => (await get('/servers/{server_id}/lint', { path: { server_id: serverId }, signal })).data,
    [serverId],
  );
}
