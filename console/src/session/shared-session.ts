/** The session of this tab as one of all open tabs of the console. */
import { apiBase } from '../api/client';
import { adoptKey, endSession, sessionKey, signOut } from './session';
import { connectTabs, type SessionTabs } from './tabs';

let tabs: SessionTabs | undefined;
let activeAt = Date.now();

/** Connects this tab with the others, and signs it in if another tab is. `hasUnsaved`: whether the page has unsaved input. */
export async function startSharedSession(hasUnsaved: () => boolean): Promise<void> {
  for (const event of ['focus', 'pointerdown', 'keydown'])
    window.addEventListener(event, onUse, { capture: true, passive: true });
  tabs = connectTabs(apiBase, {
    key: () => sessionKey.peek(),
    activeAt: () => activeAt,
    onKey: adoptKey,
    onSignOut: () => endSession({ keepsPage: hasUnsaved() }),
  });
  if (sessionKey.peek() === undefined) await tabs.requestKey();
}

function onUse(): void {
  activeAt = Date.now();
}

/** Signs out in all tabs. */
export function signOutEverywhere(): void {
  signOut();
  tabs?.announceSignOut();
}
