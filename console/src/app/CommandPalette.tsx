/** Command palette (Ctrl-K): finds pages and servers, and accepts a pasted curl command. */
import { signal } from '@preact/signals';
import { useEffect, useId, useState } from 'preact/hooks';
import { looksLikeCurl } from '../logic/pasted';
import { useMe } from '../session/me';
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
      <PaletteContent onDone={close} />
    </Dialog>
  );
}

function PaletteContent({ onDone }: { onDone: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [activeIndex, setActiveIndex] = useState(0);
  const commands = useCommands(text, useMe()?.user.role);
  const active = commands[Math.min(activeIndex, commands.length - 1)];

  const run = (command: Command | undefined) => {
    if (!command) return;
    onDone();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') run(active);
    else if (step) setActiveIndex((previous) => (previous + step + commands.length) % Math.max(1, commands.length));
    else return;
    event.preventDefault();
  };
  /** Handled on paste, because a single-line input would drop the line breaks. */
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
          aria-activedescendant={active ? `${id}-${active.id}` : undefined}
          aria-label="Go to a page or server, or paste a curl command"
          placeholder="Go to a page or server, or paste a curl command"
          autofocus
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setActiveIndex(0);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
      </div>
      <div id={`${id}-list`} class="palette-list" role="listbox" aria-label="Results">
        {commands.map((command) => (
          // The input above has the focus and handles the keys.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            key={command.id}
            id={`${id}-${command.id}`}
            class="palette-item"
            role="option"
            tabIndex={-1}
            aria-selected={command === active}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span class="grow truncate">{command.label}</span>
            <span class="palette-hint">{command.hint}</span>
          </div>
        ))}
        {commands.length === 0 && <p class="palette-none">No results.</p>}
      </div>
    </div>
  );
}

/** Commands of all sources; those of asynchronous sources are added when they resolve. */
function useCommands(text: string, role: string | undefined): Command[] {
  const [results, setResults] = useState<Command[][]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const sources = commandSources(role);
    sources.forEach(async (source, index) => {
      const commands = await Promise.resolve(source(text, controller.signal)).catch(() => []);
      if (controller.signal.aborted) return;
      setResults((previous) => sources.map((_, at) => (at === index ? commands : (previous[at] ?? []))));
    });
    return () => controller.abort();
  }, [text, role]);
  return results.flat();
}
