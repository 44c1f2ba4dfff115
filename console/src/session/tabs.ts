/**
 * Shares the sign-in between the open tabs of the console. A new tab asks the others for the key over a channel that
 * only pages of this origin can use; nothing is stored outside of the tabs. See "Sign in" in docs/console.md.
 */

/** How long a new tab waits for answers. Tabs of one browser answer within a few milliseconds. */
const answerTimeoutMs = 150;

/** The session of this tab. */
export interface TabSession {
  /** The key; undefined or '' when not signed in. */
  key: () => string | undefined;
  /** When the user last used this tab, in milliseconds. */
  activeAt: () => number;
  /** Another tab gave its key to this one. */
  onKey: (key: string) => void;
  /** The user signed out in another tab. */
  onSignOut: () => void;
}

export interface SessionTabs {
  /** Asks the other tabs for their key; resolves when they had time to answer. */
  requestKey: () => Promise<void>;
  /** Ends the session of all other tabs. */
  announceSignOut: () => void;
  close: () => void;
}

interface KeyAnswer {
  key: string;
  activeAt: number;
}

type TabMessage = { kind: 'request'; id: string } | ({ kind: 'answer'; id: string } & KeyAnswer) | { kind: 'sign-out' };

/** Connects this tab with the others. Services on one origin have different keys: `installation` separates them. */
export function connectTabs(installation: string, session: TabSession): SessionTabs {
  const channel = new BroadcastChannel(`toolgate-session ${installation}`);
  const send = (message: TabMessage) => channel.postMessage(message);
  let requestId: string | undefined;
  let answers: KeyAnswer[] | undefined;

  const answer = (id: string) => {
    const key = session.key();
    if (key) send({ kind: 'answer', id, key, activeAt: session.activeAt() });
  };
  const receiveAnswer = (received: KeyAnswer) => {
    if (answers) answers.push(received);
    // The browser may have suspended the other tab, so that it answers late.
    else if (!session.key()) session.onKey(received.key);
  };
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'request') answer(data.id);
    else if (data.kind === 'answer' && data.id === requestId) receiveAnswer(data);
    else if (data.kind === 'sign-out') {
      requestId = undefined;
      session.onSignOut();
    }
  };

  return {
    requestKey: async () => {
      // Not randomUUID: browsers offer it only over HTTPS and on localhost.
      requestId = crypto.getRandomValues(new Uint32Array(4)).join('-');
      const received: KeyAnswer[] = [];
      answers = received;
      send({ kind: 'request', id: requestId });
      await new Promise((resolve) => setTimeout(resolve, answerTimeoutMs));
      answers = undefined;
      const latest = received.reduce<KeyAnswer | undefined>(laterAnswer, undefined);
      if (latest && !session.key()) session.onKey(latest.key);
    },
    announceSignOut: () => {
      requestId = undefined;
      send({ kind: 'sign-out' });
    },
    close: () => channel.close(),
  };
}

/** The answer of the tab that was used last: tabs can have different keys, and that tab probably opened this one. */
function laterAnswer(one: KeyAnswer | undefined, other: KeyAnswer): KeyAnswer {
  return one && one.activeAt >= other.activeAt ? one : other;
}
