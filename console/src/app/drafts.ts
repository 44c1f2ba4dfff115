/** Forms that outlive their page: who leaves and comes back finds what was typed. In memory only, for secrets are typed, too. */
import { effect } from '@preact/signals';
import { useState } from 'preact/hooks';
import { sessionKey } from '../session/session';

const drafts = new Map<string, unknown>();

// Whoever signs in next is maybe somebody else.
effect(() => {
  if (sessionKey.value === undefined) drafts.clear();
});

export interface Draft<T> {
  value: T;
  set: (value: T) => void;
  /** Something was typed that is not saved. */
  dirty: boolean;
  /** Back to what is saved: after saving, or to give the changes up. */
  discard: () => void;
}

/** `id` names the form (`tool/12`), `saved` is what it starts from. */
export function useDraft<T>(id: string, saved: T): Draft<T> {
  const [, render] = useState(0);
  // Only this function puts values in, under an id that stands for one type.
  const kept = drafts.get(id) as T | undefined;
  const change = (value: T | undefined) => {
    if (value === undefined) drafts.delete(id);
    else drafts.set(id, value);
    render((round) => round + 1);
  };
  const dirty = kept !== undefined && JSON.stringify(kept) !== JSON.stringify(saved);
  return { value: kept ?? saved, set: change, dirty, discard: () => change(undefined) };
}
