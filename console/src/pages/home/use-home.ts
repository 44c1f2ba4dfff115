/** Data of the Home page. It reloads while calls arrive, at most every few seconds. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useQuery } from '../../api/use-query';
import { useStream } from '../../api/use-stream';
import { utcDay } from '../../logic/format';
import { last24HoursStart } from '../../logic/home';

const dayMs = 86_400_000;
const reloadIntervalMs = 5000;

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

/** Tools called since yesterday, and the last failed calls. */
export function useToolsSinceYesterday() {
  return useQuery(async (signal) => {
    const now = new Date();
    const from = utcDay(new Date(now.getTime() - dayMs));
    const [tools, failedCalls] = await Promise.all([
      get('/analytics/tools', { query: { from, to: utcDay(now), unused: false, per_page: 100 }, signal }),
      get('/calls', { query: { status: 'failed', from: last24HoursStart(now), per_page: 100 }, signal }),
    ]);
    return { tools: tools.data, failedCalls: failedCalls.data };
  }, []);
}

/** The settings, which list the servers that need no key; undefined unless the user is an administrator. */
export function useOpenServers() {
  return useQuery(async (signal) => {
    const { data: me } = await get('/me', { signal });
    return me.may_administer ? (await get('/settings', { signal })).data : undefined;
  }, []);
}

export function useHomeServers() {
  return useQuery(
    (signal) => get('/servers', { query: { per_page: 100, orderby: 'updated_at', order: 'DESC' }, signal }),
    [],
  );
}

export function useServerActivity(serverId: number, reloadCount: number) {
  return useQuery(
    (signal) =>
      get('/analytics/timeseries', {
        query: { server: serverId, interval: 'hour', from: last24HoursStart(new Date()) },
        signal,
      }),
    [serverId, reloadCount],
  );
}

/** Runs `reload` after new calls, at most every few seconds. */
export function useLiveReload(reload: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const latest = useRef(reload);
  latest.current = reload;
  const reloadSoon = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, reloadIntervalMs);
  };
  useStream({}, { onCall: reloadSoon, onMissed: reloadSoon });
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** A counter to use as a dependency of queries. */
export function useReloadCounter(): [number, () => void] {
  const [reloadCount, setReloadCount] = useState(0);
  return [reloadCount, () => setReloadCount((previous) => previous + 1)];
}
