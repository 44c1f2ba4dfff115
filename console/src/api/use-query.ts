/** Loads data for a component, reloads it on request, and aborts the request on unmount. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, isAbort, toApiError } from './errors';

export interface Query<T> {
  /** The last response; it stays during a reload. */
  data: T | undefined;
  error: ApiError | undefined;
  /** No data yet: show a skeleton. */
  loading: boolean;
  /** Data is shown while newer data loads. */
  reloading: boolean;
  reload: () => void;
  /** Replaces the data without a request, after a change whose response holds the new state. */
  set: (data: T) => void;
}

interface State<T> {
  data: T | undefined;
  error: ApiError | undefined;
  pending: boolean;
}

/**
 * Loads again whenever one of `deps` changes. `load` gets a signal that aborts an outdated request.
 * `initial` is shown until the first response, for example data cached by another page.
 */
export function useQuery<T>(
  load: (signal: AbortSignal) => Promise<T>,
  deps: readonly unknown[],
  initial?: T,
): Query<T> {
  const [state, setState] = useState<State<T>>({ data: initial, error: undefined, pending: true });
  const [reloadCount, setReloadCount] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const controller = new AbortController();
    setState((previous) => ({ ...previous, pending: true }));
    latest.current(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setState({ data, error: undefined, pending: false });
      },
      (cause: unknown) => {
        if (controller.signal.aborted || isAbort(cause)) return;
        setState((previous) => ({ data: previous.data, error: toApiError(cause), pending: false }));
      },
    );
    return () => controller.abort();
  }, [reloadCount, ...deps]);

  const reload = useCallback(() => setReloadCount((previous) => previous + 1), []);
  const set = useCallback((data: T) => setState({ data, error: undefined, pending: false }), []);
  return {
    data: state.data,
    error: state.error,
    loading: state.pending && state.data === undefined,
    reloading: state.pending && state.data !== undefined,
    reload,
    set,
  };
}
