/** TabLinks are links with URLs and browser history; Tabs switch panels within a page. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Link } from '../app/Link';
import './Tabs.css';

export interface TabLink {
  href: string;
  label: string;
  count?: number | undefined;
}

export function TabLinks({ label, tabs, current }: { label: string; tabs: readonly TabLink[]; current: string }) {
  const list = useRef<HTMLElement>(null);
  // Scrolls the current tab into view on narrow screens, again when counts have loaded.
  useLayoutEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (!list.current || !tab) return;
    list.current.scrollLeft =
      tab.offsetLeft - list.current.offsetLeft - (list.current.clientWidth - tab.clientWidth) / 2;
  }, [current, tabs.map(({ count }) => count).join()]);
  return (
    <nav ref={list} class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.href} class="tabs-tab" href={tab.href} aria-current={tab.href === current ? 'page' : undefined}>
          {tab.label}
          {tab.count !== undefined && <span class="tabs-count">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  count?: number | undefined;
  /** The panel has invalid fields. */
  hasErrors?: boolean | undefined;
}

export interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly Tab<Id>[];
  current: Id;
  onTab: (id: Id) => void;
  /** The panel of the current tab. */
  children: ComponentChildren;
}

export function Tabs<Id extends string>({ label, tabs, current, onTab, children }: TabsProps<Id>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const currentIndex = tabs.findIndex((tab) => tab.id === current);
    const nextIndex = { ArrowRight: currentIndex + 1, ArrowLeft: currentIndex - 1, Home: 0, End: tabs.length - 1 }[
      event.key
    ];
    if (nextIndex === undefined) return;
    event.preventDefault();
    const index = (nextIndex + tabs.length) % tabs.length;
    const tab = tabs[index];
    if (!tab) return;
    onTab(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <div>
      <div ref={list} class="tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            class="tabs-tab"
            aria-selected={tab.id === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => onTab(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && <span class="tabs-count">{tab.count}</span>}
            {tab.hasErrors && (
              <span class="tabs-error">
                <span class="visually-hidden">(has errors)</span>
              </span>
            )}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} class="tabs-panel" role="tabpanel" aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </div>
  );
}
