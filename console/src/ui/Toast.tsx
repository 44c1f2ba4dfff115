/** Toasts: what was done, with an undo action if there is one. Show errors next to their cause if possible. */
import { signal } from '@preact/signals';
import { Icon } from './Icon';
import { IconButton } from './IconButton';
import './Toast.css';

export interface ToastOptions {
  tone?: 'good' | 'bad' | undefined;
  action?: { label: string; run: () => void } | undefined;
}

interface Entry extends ToastOptions {
  id: number;
  text: string;
}

const shownMs = 6000;
/** Number of toasts shown at once; a further toast replaces the oldest. */
const toastsMax = 3;
const entries = signal<Entry[]>([]);
let nextId = 1;

export function toast(text: string, options: ToastOptions = {}): void {
  const id = nextId++;
  entries.value = [...entries.value.slice(1 - toastsMax), { id, text, ...options }];
  // Errors stay until dismissed.
  if (options.tone !== 'bad') setTimeout(() => dismiss(id), shownMs);
}

function dismiss(id: number): void {
  entries.value = entries.value.filter((entry) => entry.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {entries.value.map(({ id, text, tone = 'good', action }) => (
        <div key={id} class={`toast toast-${tone}`}>
          <Icon name={tone === 'good' ? 'check' : 'warning'} />
          <span class="grow">{text}</span>
          {action && (
            <button
              type="button"
              class="toast-action"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
