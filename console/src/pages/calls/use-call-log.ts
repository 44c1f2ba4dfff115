/** The log as far as it is loaded: the newest page at first, older ones when asked, newer ones when they are there. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../../api/client';
import { type ApiError, isAbort, toApiError } from '../../api/errors';
import type { Call } from '../../api/types';
import type { CallFilter } from '../../logic/call-filter';
import { appendOlder, type LogPage, mergeNewest } from '../../logic/call-log';

export interface CallLog {
  /** Undefined until the first page came. */
  page: LogPage<Call> | undefined;
  error: ApiError | undefined;
  /** An older page is on its way. */
  loadingOlder: boolean;
  loadOlder: () => void;
  /** Looks for newer calls. */
  refresh: () => void;
  /** Begins again, after an error. */
  reload: () => void;
}

type Change = (before: LogPage<Call> | undefined, loaded: LogPage<Call>) => LogPage<Call>;

const perPage = 100;

export function useCallLog(filter: CallFilter): CallLog {
  const [page, setPage] = useState<LogPage<Call>>();
  const [error, setError] = useState<ApiError>();
  const [loadingOlder, setLoadingOlder] = useState(false);
  const [round, setRound] = useState(0);
  const latest = useRef(page);
  const ended = useRef(new AbortController());

  const load = useCallback(
    async (before: number | undefined, change: Change) => {
      const { signal } = ended.current;
      try {
        const loaded = await findCalls(filter, before, signal);
        if (signal.aborted) return;
        latest.current = change(latest.current, loaded);
        setPage(latest.current);
        setError(undefined);
      } catch (cause) {
        if (!signal.aborted && !isAbort(cause)) setError(toApiError(cause));
      }
    },
    [JSON.stringify(filter)],
  );

  useEffect(() => {
    ended.current = new AbortController();
    latest.current = undefined;
    setPage(undefined);
    setError(undefined);
    setLoadingOlder(false);
    void load(undefined, (_, newest) => newest);
    return () => ended.current.abort();
  }, [load, round]);

  const loadOlder = useCallback(() => {
    const before = latest.current?.nextBefore;
    if (before === undefined) return;
    const { signal } = ended.current;
    setLoadingOlder(true);
    void load(before, (log, older) => (log ? appendOlder(log, older) : older)).finally(() => {
      if (!signal.aborted) setLoadingOlder(false);
    });
  }, [load]);

  const refresh = useCallback(
    () => void load(undefined, (log, newest) => (log ? mergeNewest(log, newest) : newest)),
    [load],
  );
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { page, error, loadingOlder, loadOlder, refresh, reload };
}

/** A page with at least one call, or the end of the log: the API gives short pages rather than search for long. */
async function findCalls(filter: CallFilter, before: number | undefined, signal: AbortSignal): Promise<LogPage<Call>> {
  const { data, nextBefore } = await get('/calls', { query: { ...filter, before, per_page: perPage }, signal });
  if (data.length > 0 || nextBefore === undefined) return { rows: data, nextBefore };
  return findCalls(filter, nextBefore, signal);
}
