/** Passes a pasted curl command to the Quick add page. Not through the URL or the history: commands contain secrets. */
import { signal } from '@preact/signals';
import { looksLikeCurl } from '../logic/pasted';
import { navigate } from './router';

/** The command for the Quick add page, which resets it to undefined after reading it. */
export const pastedCurl = signal<string | undefined>(undefined);

export function openQuickAdd(curl?: string): void {
  pastedCurl.value = curl;
  void navigate('/quick-add');
}

/** Opens Quick add when a curl command is pasted outside of fields and dialogs. */
export function startPasteHandler(): void {
  document.addEventListener('paste', (event) => {
    if (event.defaultPrevented || isInFieldOrDialog(event.target)) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!looksLikeCurl(text)) return;
    event.preventDefault();
    openQuickAdd(text);
  });
}

function isInFieldOrDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog') !== null;
}
