/** Subscribes to the live stream while a component is mounted. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { sessionKey } from '../session/session';
import { type StreamFilter, type StreamHandlers, type StreamState, streamId, subscribe } from './stream';

/** Does not subscribe while `filter` is undefined. Handlers may change with each render without a new connection. */
export function useStream(filter: StreamFilter | undefined, handlers: StreamHandlers): StreamState {
  const latest = useRef(handlers);
  latest.current = handlers;
  const state = useSignal<StreamState>('connecting');
  const key = sessionKey.value;

  useEffect(() => {
    if (filter === undefined) return;
    const stream = subscribe(filter, {
      onCall: (call) => latest.current.onCall?.(call),
      onClientConnected: (client) => latest.current.onClientConnected?.(client),
      onMissed: (missed) => latest.current.onMissed?.(missed),
    });
    const unsubscribe = stream.state.subscribe((next) => {
      state.value = next;
    });
    return () => {
      unsubscribe();
      stream.stop();
    };
  }, [key, filter && streamId(filter)]);

  return state.value;
}
