/** Registry of unsaved changes. The user must confirm leaving a page that has some. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** The open dialog: `subject` has unsaved changes, and `respond` receives the user's choice. */
export const leavePrompt = signal<{ subject: string; respond: (leave: boolean) => void } | undefined>(undefined);

const unsaved = new Map<symbol, string>();

/** Asks before the user leaves the page if `dirty`. `subject` starts the sentence "This tool has unsaved changes." */
export function useUnsavedGuard(dirty: boolean, subject = 'This page'): void {
  const id = useRef(Symbol(subject));
  useEffect(() => {
    if (!dirty) return;
    unsaved.set(id.current, subject);
    return () => void unsaved.delete(id.current);
  }, [dirty, subject]);
}

/** Call after saving, to allow navigation before the next render. */
export function clearUnsaved(): void {
  unsaved.clear();
}

export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

export async function confirmLeave(): Promise<boolean> {
  const [subject] = unsaved.values();
  if (subject === undefined) return true;
  const leave = await new Promise<boolean>((respond) => {
    leavePrompt.value = { subject, respond };
  });
  leavePrompt.value = undefined;
  if (leave) unsaved.clear();
  return leave;
}

/** Lets the browser ask before the tab is closed or reloaded. */
export function startUnsavedGuard(): void {
  window.addEventListener('beforeunload', (event) => {
    if (unsaved.size > 0) event.preventDefault();
  });
}
