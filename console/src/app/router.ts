/** Where in the console somebody is: the address as a signal, and the one way to change it. */
import { computed, signal } from '@preact/signals';
import { hasUnsaved, mayLeave } from './unsaved';

export interface Place {
  path: string;
  search: string;
}

const place = signal<Place>(here());
/** Position in the history of this tab, to find back where a step was not wanted. */
let index = 0;
/** A step that we take ourselves is not one to follow. */
let steppingQuietly = false;

export const currentPath = computed(() => place.value.path);
/** The query of the address: filters and pages live here, so that a link shows what its sender saw. */
export const currentQuery = computed(() => new URLSearchParams(place.value.search));

/** Goes to a path of the console, once nothing unsaved is in the way. */
export async function navigate(to: string, { replace = false } = {}): Promise<void> {
  const url = new URL(to, location.href);
  if (url.pathname !== place.peek().path && !(await mayLeave())) return;
  if (!replace) index += 1;
  history[replace ? 'replaceState' : 'pushState']({ index }, '', url.pathname + url.search);
  const moved = url.pathname !== place.peek().path;
  place.value = here();
  if (moved) window.scrollTo(0, 0);
}

/** Changes parts of the query; undefined and empty take a part away. It makes no step in the history. */
export function setQuery(changes: Record<string, string | number | undefined>): void {
  const query = new URLSearchParams(place.peek().search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  const search = query.size > 0 ? `?${query}` : '';
  history.replaceState(history.state, '', place.peek().path + search);
  place.value = here();
}

/** Follows the browser's back and forward. */
export function startRouter(): void {
  index = indexOf(history.state);
  history.replaceState({ index }, '');
  window.addEventListener('popstate', (event) => void followHistory(indexOf(event.state)));
}

async function followHistory(to: number): Promise<void> {
  if (steppingQuietly) return;
  const steps = to - index;
  if (steps !== 0 && location.pathname !== place.peek().path && hasUnsaved()) {
    // The browser has gone there already: step back, ask, and go again if that is fine.
    await stepQuietly(-steps);
    if (!(await mayLeave())) return;
    await stepQuietly(steps);
  }
  index = to;
  place.value = here();
}

async function stepQuietly(steps: number): Promise<void> {
  steppingQuietly = true;
  await new Promise<void>((resolve) => {
    window.addEventListener('popstate', () => resolve(), { once: true });
    history.go(steps);
  });
  steppingQuietly = false;
}

function indexOf(state: unknown): number {
  return typeof state === 'object' && state !== null && 'index' in state && typeof state.index === 'number'
    ? state.index
    : 0;
}

function here(): Place {
  return { path: globalThis.location?.pathname ?? '/', search: globalThis.location?.search ?? '' };
}
