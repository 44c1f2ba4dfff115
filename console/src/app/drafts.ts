/** Form drafts that survive navigation. In memory only, because forms may contain secrets. */
import { effect } from '@preact/signals';
import { useState } from 'preact/hooks';
import { sessionKey } from '../session/session';

const drafts = new Map<string, unknown>();

// Drafts are cleared on sign-out, so that the next user does not see them.
effect(() => {
  if (sessionKey.value === undefined) drafts.clear();
});

export interface Draft<T> {
  value: T;
  set: (value: T) => void;
  /** The draft differs from the saved value. */
  dirty: boolean;
  /** Drops the draft: after saving, or to discard the changes. */
  reset: () => void;
}

/** `id` identifies the form (`tool/12`); `saved` is its initial value. */
export function useDraft<T>(id: string, saved: T): Draft<T> {
  const [, render] = useState(0);
  // The cast is sound: only this function stores values, and each id is used with one type.
  const stored = drafts.get(id) as T | undefined;
  const change = (value: T | undefined) => {
    if (value === undefined) drafts.delete(id);
    else drafts.set(id, value);
    render((count) => count + 1);
  };
  const dirty = stored !== undefined && JSON.stringify(stored) !== JSON.stringify(saved);
  return { value: stored ?? saved, set: change, dirty, reset: () => change(undefined) };
}
