/** Loads the call log: the newest page first, older pages on scroll, newer calls on refresh. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../../api/client';
import { type ApiError, isAbort, toApiError } from '../../api/errors';
import type { Call } from '../../api/types';
import type { CallFilter } from '../../logic/call-filter';
import { appendOlder, type LogPage, mergeNewest } from '../../logic/call-log';

export interface CallLog {
  /** Undefined until the first page has loaded. */
  page: LogPage<Call> | undefined;
  error: ApiError | undefined;
  /** An older page is loading. */
  loadingOlder: boolean;
  loadOlder: () => void;
  /** Loads newer calls. */
  refresh: () => void;
  /** Repeats the failed request. */
  retry: () => void;
}

type Change = (before: LogPage<Call> | undefined, loaded: LogPage<Call>) => LogPage<Call>;

const perPage = 100;

export function useCallLog(filter: CallFilter): CallLog {
  const [page, setPage] = useState<LogPage<Call>>();
  const [error, setError] = useState<ApiError>();
  const [loadingOlder, setLoadingOlder] = useState(false);
  const [round, setRound] = useState(0);
  const latest = useRef(page);
  /** `before` of the older page that is loading. */
  const loading = useRef<number>();
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
    loading.current = undefined;
    setPage(undefined);
    setError(undefined);
    setLoadingOlder(false);
    void load(undefined, (_, newest) => newest);
    return () => ended.current.abort();
  }, [load, round]);

  const loadOlder = useCallback(() => {
    const before = latest.current?.nextBefore;
    if (before === undefined || loading.current === before) return;
    const { signal } = ended.current;
    loading.current = before;
    setLoadingOlder(true);
    // If mergeNewest replaced the log in the meantime, appending this page would leave a gap.
    const append: Change = (log, older) => (log?.nextBefore === before ? appendOlder(log, older) : (log ?? older));
    void load(before, append).finally(() => {
      if (signal.aborted) return;
      loading.current = undefined;
      setLoadingOlder(false);
    });
  }, [load]);

  const refresh = useCallback(
    () => void load(undefined, (log, newest) => (log ? mergeNewest(log, newest) : newest)),
    [load],
  );
  const retry = () => {
    if (latest.current === undefined) setRound((before) => before + 1);
    else refresh();
    loadOlder();
  };
  return { page, error, loadingOlder, loadOlder, refresh, retry };
}

/** Loads a page with at least one call, or the end of the log: the API may return empty pages to bound its search. */
async function findCalls(filter: CallFilter, before: number | undefined, signal: AbortSignal): Promise<LogPage<Call>> {
  const { data, nextBefore } = await get('/calls', { query: { ...filter, before, per_page: perPage }, signal });
  if (data.length > 0 || nextBefore === undefined) return { rows: data, nextBefore };
  return findCalls(filter, nextBefore, signal);
}
