/** List of prompts or resources with inline editors. The query string holds the open item. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { currentQuery, setQuery } from '../../app/router';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Toolbar } from '../../ui/Toolbar';
import './ItemList.css';

export interface ItemListProps<Item> {
  /** "prompts". */
  noun: string;
  items: readonly Item[];
  /** Text for the search. */
  textOf: (item: Item) => string;
  renderSummary: (item: Item) => ComponentChildren;
  /** Undefined: a new item. */
  renderEditor: (item: Item | undefined) => ComponentChildren;
}

/** A shorter list has no search field. */
const searchItemsMin = 6;
/** Items rendered at a time. */
const pageSize = 100;

export function openItem(id: number | 'new' | undefined): void {
  setQuery({ open: id });
}

export function ItemList<Item extends { id: number; name: string }>(props: ItemListProps<Item>) {
  const { noun, items, textOf, renderSummary, renderEditor } = props;
  const [shownCount, setShownCount] = useState(pageSize);
  const open = currentQuery.value.get('open');
  const search = currentQuery.value.get('search') ?? '';
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shownItems = items.filter((item) => {
    const text = textOf(item).toLowerCase();
    return String(item.id) === open || words.every((word) => text.includes(word));
  });
  return (
    <div>
      {items.length >= searchItemsMin && (
        <Toolbar
          search={{ label: `Search ${noun}`, value: search, onValue: (text) => setQuery({ search: text }) }}
          end={<span class="muted small number">{`${shownItems.length} of ${items.length}`}</span>}
        />
      )}
      <ul class="items">
        {open === 'new' && (
          <li class="items-item">
            <div class="items-body">{renderEditor(undefined)}</div>
          </li>
        )}
        {shownItems.slice(0, shownCount).map((item) => {
          const isOpen = String(item.id) === open;
          return (
            <li key={item.id} class="items-item">
              <button
                type="button"
                class="items-head"
                aria-expanded={isOpen}
                onClick={() => openItem(isOpen ? undefined : item.id)}
              >
                <span class={isOpen ? 'items-arrow items-arrow-open' : 'items-arrow'}>
                  <Icon name="chevron-right" />
                </span>
                {renderSummary(item)}
              </button>
              {isOpen && <div class="items-body">{renderEditor(item)}</div>}
            </li>
          );
        })}
      </ul>
      {shownItems.length === 0 && open !== 'new' && <p class="muted items-none">No matching {noun}.</p>}
      {shownItems.length > shownCount && (
        <div class="row items-more">
          <Button onClick={() => setShownCount(shownCount + pageSize)}>Show more</Button>
        </div>
      )}
    </div>
  );
}
