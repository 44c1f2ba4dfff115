/** Live events (server-sent events). Read with fetch, because EventSource cannot send the key. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { eventReader } from '../logic/sse';
import { send } from './client';
import { ApiError, isAbort } from './errors';
import type { ClientConnected, LiveCall, MissedEvents } from './types';

export interface StreamFilter {
  server?: number | undefined;
  tool?: number | undefined;
  client?: string | undefined;
  caller?: string | undefined;
  client_address?: string | undefined;
}

export interface StreamHandlers {
  onCall?: ((call: LiveCall) => void) | undefined;
  onClientConnected?: ((client: ClientConnected) => void) | undefined;
  onMissed?: ((missed: MissedEvents) => void) | undefined;
}

/** `waiting`: the connection failed and is retried after a delay. */
export type StreamState = 'connecting' | 'open' | 'waiting';

interface SharedStream {
  state: ReadonlySignal<StreamState>;
  listeners: Set<StreamHandlers>;
  stop: AbortController;
}

const retryDelayMinMs = 1000;
const retryDelayMaxMs = 30_000;
const sharedStreams = new Map<string, SharedStream>();

/** Subscribes until `stop` is called. Equal filters share a connection: browsers limit connections per origin. */
export function subscribe(
  filter: StreamFilter,
  handlers: StreamHandlers,
): { state: ReadonlySignal<StreamState>; stop: () => void } {
  const id = streamId(filter);
  const stream = sharedStreams.get(id) ?? open(id, filter);
  stream.listeners.add(handlers);
  const stop = () => {
    stream.listeners.delete(handlers);
    if (stream.listeners.size > 0) return;
    stream.stop.abort();
    sharedStreams.delete(id);
  };
  return { state: stream.state, stop };
}

/** Equal for equal filters. */
export function streamId(filter: StreamFilter): string {
  return JSON.stringify([filter.server, filter.tool, filter.client, filter.caller, filter.client_address]);
}

function open(id: string, filter: StreamFilter): SharedStream {
  const state = signal<StreamState>('connecting');
  const stream: SharedStream = { state, listeners: new Set(), stop: new AbortController() };
  sharedStreams.set(id, stream);
  void readWithReconnect(filter, stream, (next) => {
    state.value = next;
  });
  return stream;
}

async function readWithReconnect(
  filter: StreamFilter,
  stream: SharedStream,
  setState: (state: StreamState) => void,
): Promise<void> {
  const { signal: stopSignal } = stream.stop;
  let retryDelayMs = retryDelayMinMs;
  while (!stopSignal.aborted) {
    try {
      const response = await send('get', '/calls/stream', { query: filter, signal: stopSignal });
      setState('open');
      retryDelayMs = retryDelayMinMs;
      await readEvents(response, stream.listeners);
    } catch (cause) {
      if (isAbort(cause)) return;
      // Retrying soon is pointless without a valid key; signing in again opens a new subscription.
      if (cause instanceof ApiError && (cause.status === 401 || cause.status === 403)) retryDelayMs = retryDelayMaxMs;
    }
    setState('waiting');
    // A random factor from 0.75 to 1.25, so that tabs do not all reconnect at the same moment.
    await delay(retryDelayMs * (0.75 + Math.random() / 2), stopSignal);
    retryDelayMs = Math.min(retryDelayMs * 2, retryDelayMaxMs);
    setState('connecting');
  }
}

async function readEvents(response: Response, listeners: Set<StreamHandlers>): Promise<void> {
  if (response.body === null) return;
  const read = eventReader();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const { event, data } of read(value)) dispatch(event, data, listeners);
  }
}

function dispatch(event: string, data: string, listeners: Set<StreamHandlers>): void {
  const payload: unknown = JSON.parse(data);
  for (const handlers of listeners) {
    // docs/rest-api.md ("Live stream") defines these payloads.
    if (event === 'call') handlers.onCall?.(payload as LiveCall);
    if (event === 'client_connected') handlers.onClientConnected?.(payload as ClientConnected);
    if (event === 'missed') handlers.onMissed?.(payload as MissedEvents);
  }
}

function delay(ms: number, stopSignal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stopSignal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
