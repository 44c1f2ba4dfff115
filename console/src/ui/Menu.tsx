/** A menu button. The menu is a popover in the top layer, so that no container clips it. An outside click closes it. */
import { useId, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './Icon';
import './Menu.css';

export interface MenuItem {
  label: string;
  icon?: IconName | undefined;
  tone?: 'bad' | undefined;
  disabled?: boolean | undefined;
  onSelect: () => void;
}

export interface MenuProps {
  /** Accessible name of the button: "Actions for Weather". */
  label: string;
  /** Text of the button instead of the dots. */
  text?: string | undefined;
  items: readonly MenuItem[];
}

export function Menu({ label, text, items }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])];
  const show = () => {
    menu.current?.showPopover();
    if (button.current && menu.current) place(menu.current, button.current.getBoundingClientRect());
    entries()[0]?.focus();
  };
  const choose = (item: MenuItem) => {
    menu.current?.hidePopover();
    button.current?.focus();
    item.onSelect();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const enabledItems = entries();
    const focusedIndex = enabledItems.findIndex((entry) => entry.matches(':focus'));
    const nextIndex = { ArrowDown: focusedIndex + 1, ArrowUp: focusedIndex - 1, Home: 0, End: enabledItems.length - 1 }[
      event.key
    ];
    if (event.key === 'Tab') menu.current?.hidePopover();
    if (nextIndex === undefined) return;
    event.preventDefault();
    enabledItems[(nextIndex + enabledItems.length) % enabledItems.length]?.focus();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        class={text ? 'button button-secondary button-medium' : 'icon-button'}
        aria-label={text ? undefined : label}
        title={text ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => (open ? menu.current?.hidePopover() : show())}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          show();
        }}
      >
        {text}
        <Icon name={text ? 'chevron-down' : 'more'} />
      </button>
      <div
        ref={menu}
        id={id}
        class="menu"
        role="menu"
        aria-label={label}
        popover="auto"
        tabIndex={-1}
        onToggle={(event) => setOpen(event.newState === 'open')}
        onKeyDown={onKeyDown}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={item.tone === 'bad' ? 'menu-item menu-item-bad' : 'menu-item'}
            disabled={item.disabled ?? false}
            onClick={() => choose(item)}
          >
            {item.icon && <Icon name={item.icon} />}
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}

/** Positions the menu below the button at its right edge, or above if there is no space below. */
function place(menu: HTMLElement, button: DOMRect): void {
  const gap = 4;
  const { width, height } = menu.getBoundingClientRect();
  const below = button.bottom + gap;
  const top = below + height > window.innerHeight ? button.top - gap - height : below;
  menu.style.top = `${Math.max(gap, top)}px`;
  menu.style.left = `${Math.max(gap, Math.min(button.right - width, window.innerWidth - width - gap))}px`;
}
