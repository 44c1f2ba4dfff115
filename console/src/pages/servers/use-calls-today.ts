/** Today's calls (UTC) of the listed servers, in one request. */
import { get } from '../../api/client';
import type { Server } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { utcDay } from '../../logic/format';

/** By server id; undefined while loading, `unknown` after an error. */
export type CallsToday = ReadonlyMap<number, number> | 'unknown' | undefined;

export function useCallsToday(servers: readonly Server[] | undefined): CallsToday {
  const ids = servers?.map(({ id }) => id) ?? [];
  const { data, error } = useQuery(
    async (signal) => {
      if (ids.length === 0) return new Map<number, number>();
      const today = utcDay(new Date());
      const usage = await get('/analytics/servers', { query: { servers: ids, from: today, to: today }, signal });
      return new Map(usage.data.map(({ server_id, calls }) => [server_id, calls]));
    },
    [ids.join()],
  );
  return error ? 'unknown' : data;
}
