/** Ctrl-K: type where to go, press Enter. */
import { signal } from '@preact/signals';
import { useEffect, useId, useState } from 'preact/hooks';
import { looksLikeCurl } from '../logic/pasted';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { type Command, commandSources } from './commands';
import { openQuickAdd } from './quick-add';
import './CommandPalette.css';

export const paletteOpen = signal(false);

export function startPaletteShortcut(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    paletteOpen.value = !paletteOpen.value;
  });
}

export function CommandPalette() {
  const close = () => {
    paletteOpen.value = false;
  };
  return (
    <Dialog open={paletteOpen.value} onClose={close} label="Go to" placement="top">
      <Finder onDone={close} />
    </Dialog>
  );
}

function Finder({ onDone }: { onDone: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [marked, setMarked] = useState(0);
  const commands = useCommands(text);
  const chosen = commands[Math.min(marked, commands.length - 1)];

  const run = (command: Command | undefined) => {
    if (!command) return;
    onDone();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') run(chosen);
    else if (step) setMarked((before) => (before + step + commands.length) % Math.max(1, commands.length));
    else return;
    event.preventDefault();
  };
  /** At once, because a field of one line would swallow the line breaks. */
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (!looksLikeCurl(pasted)) return;
    event.preventDefault();
    onDone();
    openQuickAdd(pasted);
  };

  return (
    <div class="palette">
      <div class="palette-search">
        <Icon name="search" />
        <input
          class="palette-input"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
          aria-label="Go to a page or server, or paste a curl command"
          placeholder="Go to a page or server, or paste a curl command"
          autofocus
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setMarked(0);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
      </div>
      <div id={`${id}-list`} class="palette-list" role="listbox" aria-label="Results">
        {commands.map((command) => (
          // Keys are handled where the focus is: in the field above.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            key={command.id}
            id={`${id}-${command.id}`}
            class="palette-item"
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span class="grow truncate">{command.label}</span>
            <span class="palette-hint">{command.hint}</span>
          </div>
        ))}
        {commands.length === 0 && <p class="palette-none">Nothing fits.</p>}
      </div>
    </div>
  );
}

/** What all sources offer; those that ask the service come in when they answer. */
function useCommands(text: string): Command[] {
  const [found, setFound] = useState<Command[][]>([]);
  useEffect(() => {
    const ended = new AbortController();
    commandSources.forEach(async (source, index) => {
      const commands = await Promise.resolve(source(text, ended.signal)).catch(() => []);
      if (ended.signal.aborted) return;
      setFound((before) => commandSources.map((_, at) => (at === index ? commands : (before[at] ?? []))));
    });
    return () => ended.abort();
  }, [text]);
  return found.flat();
}
