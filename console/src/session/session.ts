/** The session of this tab: an API key in the tab's session storage, or the browser session. */
import { computed, signal } from '@preact/signals';
import { keyFromPaste } from '../logic/pasted';
import { currentToken, renewToken } from './browser-session';
import { rejectedKeyText } from './key-texts';

const storageName = 'toolgate-key';
/** In a browser session, `sessionKey` is this text followed by the id of the user. */
const browserPrefix = 'browser session of user ';

const storedKey = signal<string | undefined>(readStorage());
/** Whether a request with this key has succeeded. Before that, a 401 means the key is invalid, not expired. */
let isAccepted = false;

/**
 * Identifies the session: the key, or the user of the browser session; undefined when not signed in; '' after a
 * sign-out in another tab, while this page has unsaved input.
 */
export const sessionKey = computed(() => storedKey.value);

/** Why the session ended while the page stays, so that a dialog asks to sign in again. */
export type SessionEnd = 'expired' | 'disabled' | 'rejected' | 'signed-out' | 'ended';

const sessionEnds: Record<string, SessionEnd> = { expired_key: 'expired', rest_user_disabled: 'disabled' };

/** Set if the key worked before and does not any more: the page stays, and a dialog asks for another key. */
export const sessionEnd = signal<SessionEnd | undefined>(undefined);

/** Why the last key was rejected, for the sign-in form. */
export const signInError = signal<string | undefined>(undefined);

/** Whether the user signed in on the sign-in page, and not with a key. */
export function isBrowserSession(): boolean {
  return storedKey.peek()?.startsWith(browserPrefix) === true;
}

/** The key of this tab; undefined if there is none. */
export function tabKey(): string | undefined {
  return isBrowserSession() ? undefined : storedKey.peek();
}

/** The bearer token of requests: the key or a token of the browser session; '' if there is none. */
export async function bearerToken(): Promise<string> {
  if (!isBrowserSession()) return storedKey.peek() ?? '';
  const token = await currentToken();
  // Another user has signed in with this browser: this page must not send requests in that user's name.
  if (token && isOfOtherUser(token.userId)) return '';
  return token?.text ?? '';
}

/** Called when the service rejects a token. Returns whether the browser session has a new token to try. */
export async function renewRejectedToken(rejected: string): Promise<boolean> {
  if (!isBrowserSession()) return false;
  const renewed = await renewToken();
  if (!renewed || renewed.text === rejected) return false;
  const isSameUser = !isOfOtherUser(renewed.userId);
  adoptBrowserSession(renewed.userId);
  return isSameUser;
}

function isOfOtherUser(userId: number): boolean {
  return storedKey.peek() !== browserPrefix + userId;
}

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

/** Continues with the browser session. If its user has changed, the data of the previous user is dropped. */
export function adoptBrowserSession(userId: number): void {
  const session = browserPrefix + userId;
  if (isBrowserSession() && storedKey.peek() !== session) signOut();
  sessionStorage.removeItem(storageName);
  storedKey.value = session;
  sessionEnd.value = undefined;
  signInError.value = undefined;
  isAccepted = true;
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

/** Called when a request of this session succeeds. */
export function onKeyAccepted(): void {
  isAccepted = true;
}

/** Called when the service rejects this session (401), with the code of the error. */
export function onKeyRejected(code: string): void {
  if (storedKey.value === undefined) return;
  if (storedKey.value === '') {
    sessionEnd.value = 'signed-out';
    return;
  }
  if (isAccepted) {
    sessionEnd.value = isBrowserSession() ? 'ended' : (sessionEnds[code] ?? 'rejected');
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
