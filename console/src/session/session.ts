/** The key of whoever uses the console. It lives in the tab (session storage) and nowhere else. */
import { computed, signal } from '@preact/signals';
import { keyFromPaste } from '../logic/pasted';

const storageName = 'toolgate-key';

const stored = signal<string | undefined>(readStorage());
/** Whether a request with this key was answered; until then a refusal means that it was never right. */
let worked = false;

/** The key, or undefined for somebody who is not signed in. */
export const sessionKey = computed(() => stored.value);

/** The key was right once and is not any more: what is on the screen stays, and another one is asked for. */
export const keyExpired = signal(false);

/** Why the last key was not taken, for the page that asks for another one. */
export const refusal = signal<string | undefined>(undefined);

/** Takes a key that was found to be right. */
export function signIn(key: string): void {
  keep(key);
  worked = true;
}

export function signOut(): void {
  worked = false;
  stored.value = undefined;
  keyExpired.value = false;
  refusal.value = undefined;
  sessionStorage.removeItem(storageName);
}

/** Takes the key from `#key=…` and removes it from the address at once, so that it is in no history and no bookmark. */
export function takeKeyFromAddress(): void {
  if (!location.hash.startsWith('#key=')) return;
  const key = keyFromPaste(location.hash);
  history.replaceState(history.state, '', location.pathname + location.search);
  if (key === '') return;
  worked = false;
  keep(key);
}

/** The service answered a request with this key. */
export function keyWorked(): void {
  worked = true;
}

/** The service does not know this key. */
export function keyRefused(): void {
  if (stored.value === undefined) return;
  if (worked) {
    keyExpired.value = true;
    return;
  }
  signOut();
  refusal.value = 'The service does not know this key. It may have been revoked, or belong to another installation.';
}

function keep(key: string): void {
  stored.value = key;
  keyExpired.value = false;
  refusal.value = undefined;
  sessionStorage.setItem(storageName, key);
}

function readStorage(): string | undefined {
  return globalThis.sessionStorage?.getItem(storageName) ?? undefined;
}
