/** The API key of this tab's session, stored in its session storage only. */
import { computed, signal } from '@preact/signals';
import { keyFromPaste } from '../logic/pasted';
import { rejectedKeyText } from './key-texts';

const storageName = 'toolgate-key';

const storedKey = signal<string | undefined>(readStorage());
/** Whether a request with this key has succeeded. Before that, a 401 means the key is invalid, not expired. */
let isAccepted = false;

/** The key, or undefined when not signed in; '' after a sign-out in another tab, while this page has unsaved input. */
export const sessionKey = computed(() => storedKey.value);

/** Why the session ended while the page stays, so that a dialog asks for a key. */
export type SessionEnd = 'expired' | 'disabled' | 'rejected' | 'signed-out';

const sessionEnds: Record<string, SessionEnd> = { expired_key: 'expired', rest_user_disabled: 'disabled' };

/** Set if the key worked before and does not any more: the page stays, and a dialog asks for another key. */
export const sessionEnd = signal<SessionEnd | undefined>(undefined);

/** Why the last key was rejected, for the sign-in form. */
export const signInError = signal<string | undefined>(undefined);

/** Starts a session with a validated key. */
export function signIn(key: string): void {
  storeKey(key);
  isAccepted = true;
}

/** Continues the session of another tab. */
export function adoptKey(key: string): void {
  isAccepted = false;
  storeKey(key);
}

/** Called after a sign-out in another tab. With `keepsPage` a dialog asks for a key, and unsaved input stays. */
export function endSession({ keepsPage }: { keepsPage: boolean }): void {
  if (!keepsPage || !storedKey.value) {
    signOut();
    return;
  }
  isAccepted = false;
  sessionStorage.removeItem(storageName);
  // Not undefined, which would remove the page.
  storedKey.value = '';
  sessionEnd.value = 'signed-out';
}

export function signOut(): void {
  isAccepted = false;
  storedKey.value = undefined;
  sessionEnd.value = undefined;
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

/** Called when the service rejects this key (401), with the code of the error. */
export function onKeyRejected(code: string): void {
  if (storedKey.value === undefined) return;
  if (storedKey.value === '') {
    sessionEnd.value = 'signed-out';
    return;
  }
  if (isAccepted) {
    sessionEnd.value = sessionEnds[code] ?? 'rejected';
    return;
  }
  signOut();
  signInError.value = rejectedKeyText(code);
}

function storeKey(key: string): void {
  storedKey.value = key;
  sessionEnd.value = undefined;
  signInError.value = undefined;
  sessionStorage.setItem(storageName, key);
}

function readStorage(): string | undefined {
  return globalThis.sessionStorage?.getItem(storageName) ?? undefined;
}
