/** The figures of the first page. They come anew while calls come in, but not with every one of them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useQuery } from '../../api/use-query';
import { useStream } from '../../api/use-stream';
import { utcDay } from '../../logic/format';
import { dayAgo } from '../../logic/home';

const restMs = 5000;

export function useOverview() {
  return useQuery(async (signal) => {
    const today = utcDay(new Date());
    const [overview, days] = await Promise.all([
      get('/analytics/overview', { signal }),
      get('/analytics/timeseries', { query: { interval: 'day', from: today, to: today }, signal }),
    ]);
    return { ...overview.data, today: days.data[0] };
  }, []);
}

/** Tools that were called since yesterday, and the failures among the last calls. */
export function useToolsSinceYesterday() {
  return useQuery(async (signal) => {
    const now = new Date();
    const from = utcDay(new Date(now.getTime() - 86_400_000));
    const [tools, failed] = await Promise.all([
      get('/analytics/tools', { query: { from, to: utcDay(now), unused: false, per_page: 100 }, signal }),
      get('/calls', { query: { status: 'failed', from: dayAgo(now), per_page: 100 }, signal }),
    ]);
    return { tools: tools.data, failed: failed.data };
  }, []);
}

export function useServersOfHome() {
  return useQuery(
    (signal) => get('/servers', { query: { per_page: 100, orderby: 'updated_at', order: 'DESC' }, signal }),
    [],
  );
}

export function useServerDay(serverId: number, round: number) {
  return useQuery(
    (signal) =>
      get('/analytics/timeseries', { query: { server: serverId, interval: 'hour', from: dayAgo(new Date()) }, signal }),
    [serverId, round],
  );
}

/** Calls `reload` when calls came in, at most every few seconds. */
export function useLiveReload(reload: () => void): void {
  const waiting = useRef<ReturnType<typeof setTimeout>>();
  const latest = useRef(reload);
  latest.current = reload;
  const soon = () => {
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined;
      latest.current();
    }, restMs);
  };
  useStream({}, { onCall: soon, onMissed: soon });
  useEffect(() => () => clearTimeout(waiting.current), []);
}

/** A number that counts up, for queries that hang on it. */
export function useRound(): [number, () => void] {
  const [round, setRound] = useState(0);
  return [round, () => setRound((before) => before + 1)];
}
