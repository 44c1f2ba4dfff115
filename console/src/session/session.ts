/** The API key of the session, stored in this tab's session storage only. */
import { computed, signal } from '@preact/signals';
import { keyFromPaste } from '../logic/pasted';

const storageName = 'toolgate-key';

const storedKey = signal<string | undefined>(readStorage());
/** Whether a request with this key has succeeded. Before that, a 401 means the key is invalid, not expired. */
let isAccepted = false;

/** The key, or undefined when not signed in. */
export const sessionKey = computed(() => storedKey.value);

/** The key worked before and is now rejected: the page stays, and a dialog asks for another key. */
export const keyExpired = signal(false);

/** Why the last key was rejected, for the sign-in form. */
export const signInError = signal<string | undefined>(undefined);

/** Starts a session with a validated key. */
export function signIn(key: string): void {
  storeKey(key);
  isAccepted = true;
}

export function signOut(): void {
  isAccepted = false;
  storedKey.value = undefined;
  keyExpired.value = false;
  signInError.value = undefined;
  sessionStorage.removeItem(storageName);
}

/** Reads the key from `#key=…` and removes it from the URL, so that it stays out of history and bookmarks. */
export function takeKeyFromUrl(): void {
  if (!location.hash.startsWith('#key=')) return;
  const key = keyFromPaste(location.hash);
  history.replaceState(history.state, '', location.pathname + location.search);
  if (key === '') return;
  isAccepted = false;
  storeKey(key);
}

/** Called when a request with this key succeeds. */
export function onKeyAccepted(): void {
  isAccepted = true;
}

/** Called when the service rejects this key (401). */
export function onKeyRejected(): void {
  if (storedKey.value === undefined) return;
  if (isAccepted) {
    keyExpired.value = true;
    return;
  }
  signOut();
  signInError.value = 'Unknown API key. It may have been revoked, or belong to another installation.';
}

function storeKey(key: string): void {
  storedKey.value = key;
  keyExpired.value = false;
  signInError.value = undefined;
  sessionStorage.setItem(storageName, key);
}

function readStorage(): string | undefined {
  return globalThis.sessionStorage?.getItem(storageName) ?? undefined;
}
