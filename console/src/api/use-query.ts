/** Data of a page: loaded when it opens, loaded again when asked, dropped when the page closes. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, isAbort, toApiError } from './errors';

export interface Query<T> {
  /** The last answer; it stays while another one is on its way. */
  data: T | undefined;
  error: ApiError | undefined;
  /** Nothing to show yet: time for a skeleton. */
  loading: boolean;
  /** Something is shown, and newer is on its way. */
  reloading: boolean;
  reload: () => void;
  /** Puts an answer in place without asking, after a change whose reply holds the new state. */
  set: (data: T) => void;
}

interface State<T> {
  data: T | undefined;
  error: ApiError | undefined;
  pending: boolean;
}

/**
 * Asks anew whenever one of `deps` changes. `load` gets a signal that ends the request when its answer is not needed.
 * `initial` is shown until the first answer: what another page knew a moment ago.
 */
export function useQuery<T>(
  load: (signal: AbortSignal) => Promise<T>,
  deps: readonly unknown[],
  initial?: T,
): Query<T> {
  const [state, setState] = useState<State<T>>({ data: initial, error: undefined, pending: true });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const ended = new AbortController();
    setState((before) => ({ ...before, pending: true }));
    latest.current(ended.signal).then(
      (data) => {
        if (!ended.signal.aborted) setState({ data, error: undefined, pending: false });
      },
      (cause: unknown) => {
        if (ended.signal.aborted || isAbort(cause)) return;
        setState((before) => ({ data: before.data, error: toApiError(cause), pending: false }));
      },
    );
    return () => ended.abort();
  }, [round, ...deps]);

  const reload = useCallback(() => setRound((before) => before + 1), []);
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
