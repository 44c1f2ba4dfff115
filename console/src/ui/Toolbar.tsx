/** Toolbar above a list: search, filters, and actions at the end. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './Icon';
import './Toolbar.css';

export interface ToolbarProps {
  search?: { label: string; value: string; onValue: (value: string) => void } | undefined;
  /** Filters. */
  children?: ComponentChildren;
  /** Actions. */
  end?: ComponentChildren;
}

export function Toolbar({ search, children, end }: ToolbarProps) {
  return (
    <div class="toolbar">
      {search && <SearchField {...search} />}
      {children}
      {end && <div class="row toolbar-end">{end}</div>}
    </div>
  );
}

const typingPauseMs = 200;

/** Reports the text after a short pause in typing. */
function SearchField({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onValue(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="toolbar-search">
      <span class="visually-hidden">{label}</span>
      <Icon name="search" />
      <input
        class="control"
        type="search"
        placeholder={label}
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}
