/** Registry of unsaved changes: the user is asked before leaving a page that has some. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** The open dialog: what is unsaved, and the callback for the user's choice. */
export const leavePrompt = signal<{ what: string; respond: (leave: boolean) => void } | undefined>(undefined);

const unsaved = new Map<symbol, string>();

/** Asks before the page is left while `dirty`. `what` is the subject of "… has unsaved changes.": "This tool". */
export function useUnsavedGuard(dirty: boolean, what = 'This page'): void {
  const id = useRef(Symbol(what));
  useEffect(() => {
    if (!dirty) return;
    unsaved.set(id.current, what);
    return () => void unsaved.delete(id.current);
  }, [dirty, what]);
}

/** Call after saving, to allow navigation before the next render. */
export function clearUnsaved(): void {
  unsaved.clear();
}

export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

export async function confirmLeave(): Promise<boolean> {
  const [what] = unsaved.values();
  if (what === undefined) return true;
  const leave = await new Promise<boolean>((respond) => {
    leavePrompt.value = { what, respond };
  });
  leavePrompt.value = undefined;
  if (leave) unsaved.clear();
  return leave;
}

export function startUnsavedGuard(): void {
  window.addEventListener('beforeunload', (event) => {
    if (unsaved.size > 0) event.preventDefault();
  });
}
