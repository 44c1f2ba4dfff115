/** The live stream for as long as a component is shown. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { sessionKey } from '../session/session';
import { listen, type StreamFilter, type StreamHandlers, type StreamState } from './stream';

/** `filter: undefined` does not listen. Handlers may change with each render without a new connection. */
export function useStream(filter: StreamFilter | undefined, handlers: StreamHandlers): StreamState {
  const latest = useRef(handlers);
  latest.current = handlers;
  const state = useSignal<StreamState>('connecting');
  const key = sessionKey.value;

  useEffect(() => {
    if (filter === undefined) return;
    const stream = listen(filter, {
      onCall: (call) => latest.current.onCall?.(call),
      onClientConnected: (client) => latest.current.onClientConnected?.(client),
      onMissed: (missed) => latest.current.onMissed?.(missed),
    });
    const unsubscribe = stream.state.subscribe((now) => {
      state.value = now;
    });
    return () => {
      unsubscribe();
      stream.stop();
    };
  }, [key, filter === undefined, filter?.server, filter?.tool, filter?.client]);

  return state.value;
}
