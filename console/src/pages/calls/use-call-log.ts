/** Loads the call log: the newest page first, older pages on scroll, newer calls on refresh. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../../api/client';
import { type ApiError, isAbort, toApiError } from '../../api/errors';
import type { Call } from '../../api/types';
import type { CallFilter } from '../../logic/call-filter';
import { appendOlder, type LoadedCalls, mergeNewest } from '../../logic/call-log';

export interface CallLog {
  /** Undefined until the first page has loaded. */
  loaded: LoadedCalls<Call> | undefined;
  error: ApiError | undefined;
  /** An older page is loading. */
  loadingOlder: boolean;
  loadOlder: () => void;
  /** Loads newer calls. */
  refresh: () => void;
  /** Repeats the failed request. */
  retry: () => void;
}

/** Combines the calls loaded so far with a new page. */
type PageMerger = (loaded: LoadedCalls<Call> | undefined, page: LoadedCalls<Call>) => LoadedCalls<Call>;

const perPage = 100;

export function useCallLog(filter: CallFilter): CallLog {
  const [loaded, setLoaded] = useState<LoadedCalls<Call>>();
  const [error, setError] = useState<ApiError>();
  const [loadingOlder, setLoadingOlder] = useState(false);
  const [reloadCount, setReloadCount] = useState(0);
  const latest = useRef(loaded);
  /** Value of `before` of the older page that is loading. */
  const loadingBefore = useRef<number>();
  const controller = useRef(new AbortController());

  const load = useCallback(
    async (before: number | undefined, merge: PageMerger) => {
      const { signal } = controller.current;
      try {
        const page = await findCalls(filter, before, signal);
        if (signal.aborted) return;
        latest.current = merge(latest.current, page);
        setLoaded(latest.current);
        setError(undefined);
      } catch (cause) {
        if (!signal.aborted && !isAbort(cause)) setError(toApiError(cause));
      }
    },
    [JSON.stringify(filter)],
  );

  useEffect(() => {
    controller.current = new AbortController();
    latest.current = undefined;
    loadingBefore.current = undefined;
    setLoaded(undefined);
    setError(undefined);
    setLoadingOlder(false);
    void load(undefined, (_, newest) => newest);
    return () => controller.current.abort();
  }, [load, reloadCount]);

  const loadOlder = useCallback(() => {
    const before = latest.current?.nextBefore;
    if (before === undefined || loadingBefore.current === before) return;
    const { signal } = controller.current;
    loadingBefore.current = before;
    setLoadingOlder(true);
    // If mergeNewest replaced the log in the meantime, appending this page would leave a gap.
    const append: PageMerger = (log, older) => (log?.nextBefore === before ? appendOlder(log, older) : (log ?? older));
    void load(before, append).finally(() => {
      if (signal.aborted) return;
      loadingBefore.current = undefined;
      setLoadingOlder(false);
    });
  }, [load]);

  const refresh = useCallback(
    () => void load(undefined, (log, newest) => (log ? mergeNewest(log, newest) : newest)),
    [load],
  );
  const retry = () => {
    if (latest.current === undefined) setReloadCount((count) => count + 1);
    else refresh();
    loadOlder();
  };
  return { loaded, error, loadingOlder, loadOlder, refresh, retry };
}

/** Loads a page with at least one call, or the end of the log: the API may return empty pages to bound its search. */
async function findCalls(
  filter: CallFilter,
  before: number | undefined,
  signal: AbortSignal,
): Promise<LoadedCalls<Call>> {
  const { data, nextBefore } = await get('/calls', { query: { ...filter, before, per_page: perPage }, signal });
  if (data.length > 0 || nextBefore === undefined) return { rows: data, nextBefore };
  return findCalls(filter, nextBefore, signal);
}
