/** New calls: fetched at once for those who look at the top of the log, counted for those who read further down. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StreamState } from '../../api/stream';
import { useStream } from '../../api/use-stream';
import type { CallFilter } from '../../logic/call-filter';
import { hasStatus } from '../../logic/call-status';

export interface LiveTail {
  /** `past`: the log ends at a moment that somebody chose, so nothing new can come. */
  state: StreamState | 'past';
  /** New calls that are not in the list yet. */
  waiting: number;
  /** Brings them in now. */
  show: () => void;
}

/** However many calls come, the log is asked no more often. */
const pauseMs = 700;

export function useLiveTail(filter: CallFilter, following: boolean, refresh: () => void): LiveTail {
  const [waiting, setWaiting] = useState(0);
  const past = filter.to !== '';
  const ask = useThrottled(refresh);
  const bringIn = () => {
    setWaiting(0);
    ask();
  };

  const state = useStream(past ? undefined : { server: filter.server, tool: filter.tool, client: filter.client }, {
    onCall: (call) => {
      if (!hasStatus(call, filter.status)) return;
      if (following) ask();
      else setWaiting((count) => count + 1);
    },
    onMissed: ({ missed }) => (following ? ask() : setWaiting((count) => count + (missed ?? 1))),
  });

  useEffect(() => setWaiting(0), [JSON.stringify(filter)]);
  useEffect(() => {
    if (following && waiting > 0) bringIn();
  }, [following]);

  // What happened before the stream was open, or while it was broken, was told to nobody.
  useEffect(() => {
    if (state === 'open' && following) ask();
  }, [state]);

  return { state: past ? 'past' : state, waiting, show: bringIn };
}

/** Runs at once, and again after a pause where it was asked for meanwhile. */
function useThrottled(run: () => void): () => void {
  const latest = useRef(run);
  latest.current = run;
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const again = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = () => {
    if (timer.current !== undefined) {
      again.current = true;
      return;
    }
    again.current = false;
    latest.current();
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (again.current) ask();
    }, pauseMs);
  };
  return ask;
}
