/** Router: the current URL as signals, and the functions that change it. */
import { computed, signal } from '@preact/signals';
import { addBasePath, parseBasePath, removeBasePath } from '../logic/base-path';
import { confirmLeave, hasUnsaved } from './unsaved';

/** The path of the service's public address; the service writes it into the page. */
const basePath = parseBasePath(
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="toolgate-base-path"]')?.content,
);

export interface RouteLocation {
  path: string;
  search: string;
}

const routeLocation = signal<RouteLocation>(readLocation());
/** Position in this tab's history, to undo a back or forward step that the user cancels. */
let historyIndex = 0;
/** Set while the router itself moves in the history; it must ignore the popstate events of these moves. */
let ignoresPopState = false;

export const currentPath = computed(() => routeLocation.value.path);
/** The query string. It holds filters and page numbers, so that a shared link shows the same view. */
export const currentQuery = computed(() => new URLSearchParams(routeLocation.value.search));

/** Converts a path of the console (`/servers`) to the address for links in the browser. */
export function browserAddress(path: string): string {
  return addBasePath(basePath, path);
}

/** Navigates to a path of the console. Asks first if the page has unsaved changes. */
export async function navigate(to: string, { replace = false } = {}): Promise<void> {
  const url = new URL(browserAddress(to), location.href);
  const moved = removeBasePath(basePath, url.pathname) !== routeLocation.peek().path;
  if (moved && !(await confirmLeave())) return;
  if (!replace) historyIndex += 1;
  history[replace ? 'replaceState' : 'pushState']({ index: historyIndex }, '', url.pathname + url.search);
  routeLocation.value = readLocation();
  if (moved) window.scrollTo(0, 0);
}

/** Updates query parameters without a new history entry; undefined and '' remove a parameter. */
export function setQuery(changes: Record<string, string | number | undefined>): void {
  const query = new URLSearchParams(routeLocation.peek().search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  const search = query.size > 0 ? `?${query}` : '';
  history.replaceState(history.state, '', browserAddress(routeLocation.peek().path) + search);
  routeLocation.value = readLocation();
}

/** Handles the browser's back and forward buttons. */
export function startRouter(): void {
  historyIndex = historyIndexOf(history.state);
  history.replaceState({ index: historyIndex }, '');
  window.addEventListener('popstate', (event) => void handlePopState(historyIndexOf(event.state)));
}

async function handlePopState(to: number): Promise<void> {
  if (ignoresPopState) return;
  const steps = to - historyIndex;
  if (steps !== 0 && readLocation().path !== routeLocation.peek().path && hasUnsaved()) {
    // The browser has already moved: undo the move, ask, and repeat the move if the user confirms.
    await moveInHistory(-steps);
    if (!(await confirmLeave())) return;
    await moveInHistory(steps);
  }
  historyIndex = to;
  routeLocation.value = readLocation();
}

async function moveInHistory(steps: number): Promise<void> {
  ignoresPopState = true;
  await new Promise<void>((resolve) => {
    window.addEventListener('popstate', () => resolve(), { once: true });
    history.go(steps);
  });
  ignoresPopState = false;
}

function historyIndexOf(state: unknown): number {
  return typeof state === 'object' && state !== null && 'index' in state && typeof state.index === 'number'
    ? state.index
    : 0;
}

function readLocation(): RouteLocation {
  const { pathname = '/', search = '' } = globalThis.location ?? {};
  return { path: removeBasePath(basePath, pathname), search };
}
