/** Above a list: search, filters, and at the end what acts on the whole list. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './Icon';
import './Toolbar.css';

export interface ToolbarProps {
  search?: { label: string; value: string; onValue: (value: string) => void } | undefined;
  /** Filters. */
  children?: ComponentChildren;
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

/** Tells of what was typed once the typing rests. */
function SearchField({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onValue(text), 200);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="toolbar-search">
      <span class="unseen">{label}</span>
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
