/** New calls from the live stream: loaded immediately at the top of the log, counted while the user reads below. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StreamState } from '../../api/stream';
import { useStream } from '../../api/use-stream';
import type { CallFilter } from '../../logic/call-filter';
import { hasStatus } from '../../logic/call-status';

export interface LiveTail {
  /** `past`: the filter has an end time, so no new calls can match. */
  state: StreamState | 'past';
  /** Number of new calls that are not in the list yet. */
  waiting: number;
  /** Adds the new calls to the list. */
  show: () => void;
}

/** Minimum time between refreshes, regardless of the number of calls. */
const refreshIntervalMs = 700;

/** While `following`, new calls are loaded immediately; otherwise they are counted. */
export function useLiveTail(filter: CallFilter, following: boolean, refresh: () => void): LiveTail {
  const [waiting, setWaiting] = useState(0);
  const past = filter.to !== '';
  const refreshSoon = useThrottled(refresh);
  const showWaiting = () => {
    setWaiting(0);
    refreshSoon();
  };

  const { server, tool, client, caller, client_address } = filter;
  const state = useStream(past ? undefined : { server, tool, client, caller, client_address }, {
    onCall: (call) => {
      if (!hasStatus(call, filter.status)) return;
      if (following) refreshSoon();
      else setWaiting((count) => count + 1);
    },
    onMissed: ({ missed }) => (following ? refreshSoon() : setWaiting((count) => count + (missed ?? 1))),
  });

  useEffect(() => setWaiting(0), [JSON.stringify(filter)]);
  useEffect(() => {
    if (following && waiting > 0) showWaiting();
  }, [following]);

  // Calls before the stream opened, or while it was disconnected, were not reported.
  useEffect(() => {
    if (state === 'open' && following) refreshSoon();
  }, [state]);

  return { state: past ? 'past' : state, waiting, show: showWaiting };
}

/** Runs immediately, and once more after the interval if it was requested again. */
function useThrottled(run: () => void): () => void {
  const latest = useRef(run);
  latest.current = run;
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const isRequestedAgain = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const refreshSoon = () => {
    if (timer.current !== undefined) {
      isRequestedAgain.current = true;
      return;
    }
    isRequestedAgain.current = false;
    latest.current();
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (isRequestedAgain.current) refreshSoon();
    }, refreshIntervalMs);
  };
  return refreshSoon;
}
