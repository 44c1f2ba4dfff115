/** The way of a pasted curl command to the Quick add page. Not through the address or the history: commands hold secrets. */
import { signal } from '@preact/signals';
import { looksLikeCurl } from '../logic/pasted';
import { navigate } from './router';

/** A command that waits for the Quick add page; the page takes it and sets it to undefined. */
export const pastedCurl = signal<string | undefined>(undefined);

export function openQuickAdd(curl?: string): void {
  pastedCurl.value = curl;
  void navigate('/quick-add');
}

/** Hears a curl command pasted anywhere but into a field. */
export function startPasteHandler(): void {
  document.addEventListener('paste', (event) => {
    if (event.defaultPrevented || isField(event.target)) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!looksLikeCurl(text)) return;
    event.preventDefault();
    openQuickAdd(text);
  });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog') !== null;
}
