/** Synchronises the session of this tab with the other open tabs of the console. */
import { apiBase } from '../api/client';
import { toast } from '../ui/Toast';
import { endBrowserSession, renewToken } from './browser-session';
import { validateKey } from './check-key';
import {
  adoptBrowserSession,
  adoptKey,
  endSession,
  sessionEnd,
  sessionKey,
  signInError,
  signOut,
  tabKey,
} from './session';
import { connectTabs, type SessionTabs } from './tabs';

let tabs: SessionTabs | undefined;
let activeAt = Date.now();

/**
 * Connects this tab with the others, and signs it in if another tab has a key or if there is a browser session.
 * `hasUnsaved`: whether the page has unsaved input.
 */
export async function startSharedSession(hasUnsaved: () => boolean): Promise<void> {
  for (const event of ['focus', 'pointerdown', 'keydown'])
    window.addEventListener(event, recordActivity, { capture: true, passive: true });
  // The user may have signed in again in another tab.
  window.addEventListener('focus', () => void continueSession());
  tabs = connectTabs(apiBase, {
    key: tabKey,
    activeAt: () => activeAt,
    onKey: adoptKey,
    onSignOut: () => endSession({ keepsPage: hasUnsaved() }),
  });
  if (sessionKey.peek() === undefined) await tabs.requestKey();
  if (sessionKey.peek() === undefined) await startBrowserSession();
}

function recordActivity(): void {
  activeAt = Date.now();
}

/** Continues with the browser session, if there is one and it may use the console. */
async function startBrowserSession(): Promise<void> {
  const token = await renewToken();
  if (!token) return;
  const problem = await validateKey(token.text);
  if (problem === undefined) adoptBrowserSession(token.userId);
  else signInError.value = problem;
}

async function continueSession(): Promise<void> {
  const hasEnded = sessionEnd.peek() === 'ended' || sessionEnd.peek() === 'signed-out';
  if (hasEnded || sessionKey.peek() === undefined) await startBrowserSession();
}

/** Signs out in all tabs and ends the browser session. Returns whether that worked. */
export async function signOutEverywhere(): Promise<boolean> {
  // The browser session ends first; otherwise another tab would sign in with it again.
  if (!(await endBrowserSession())) {
    toast('Could not sign out: the service does not respond. Try again.');
    return false;
  }
  signOut();
  tabs?.announceSignOut();
  return true;
}
