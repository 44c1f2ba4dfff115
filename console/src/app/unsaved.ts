/** Pages with something unsaved say so here, and whoever would leave them is asked first. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** The question on the screen, with who waits for its answer. */
export const leaveQuestion = signal<{ what: string; answer: (leave: boolean) => void } | undefined>(undefined);

const unsaved = new Map<symbol, string>();

/** Warns before the page is left while `dirty`. `what` completes "… has changes that are not saved.": "This tool". */
export function useUnsavedGuard(dirty: boolean, what = 'This page'): void {
  const id = useRef(Symbol(what));
  useEffect(() => {
    if (!dirty) return;
    unsaved.set(id.current, what);
    return () => void unsaved.delete(id.current);
  }, [dirty, what]);
}

/** For a page that is done: saved a moment ago, it may be left before its next render. */
export function forgetUnsaved(): void {
  unsaved.clear();
}

export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

export async function mayLeave(): Promise<boolean> {
  const [what] = unsaved.values();
  if (what === undefined) return true;
  const leave = await new Promise<boolean>((answer) => {
    leaveQuestion.value = { what, answer };
  });
  leaveQuestion.value = undefined;
  if (leave) unsaved.clear();
  return leave;
}

export function startUnsavedGuard(): void {
  window.addEventListener('beforeunload', (event) => {
    if (unsaved.size > 0) event.preventDefault();
  });
}
