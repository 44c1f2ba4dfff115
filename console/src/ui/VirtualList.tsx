/** Virtualised list: only visible rows are rendered. All rows have the same height. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import './VirtualList.css';

export interface VirtualListProps<Item> {
  label: string;
  items: readonly Item[];
  itemKey: (item: Item) => string | number;
  /** In pixels. */
  rowHeight: number;
  /** CSS height of the list: `60vh`. */
  height: string;
  render: (item: Item, index: number) => ComponentChildren;
  /** Called when the end is near, to load more. */
  onEnd?: (() => void) | undefined;
  /** Ref to the scrolling element. */
  frame?: RefObject<HTMLElement> | undefined;
  /** Called for keys while the list itself, and not a row, has the focus. */
  onKey?: ((event: KeyboardEvent) => void) | undefined;
}

/** Extra rows above and below, so that fast scrolling shows no gaps. */
const overscan = 8;

export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, itemKey, rowHeight, height, render, onEnd, onKey } = props;
  const defaultFrame = useRef<HTMLElement>(null);
  const frame = props.frame ?? defaultFrame;
  const [view, setView] = useState({ top: 0, height: 0 });

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  const firstIndex = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const endIndex = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + overscan);
  const isNearEnd = view.height > 0 && endIndex >= items.length;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, items.length]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target === frame.current) onKey?.(event);
  };
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section ref={frame} class="virtual" aria-label={label} tabIndex={0} style={{ height }} onKeyDown={onKeyDown}>
      <ul class="virtual-rows" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(firstIndex, endIndex).map((item, offset) => (
          <li
            key={itemKey(item)}
            class="virtual-row"
            aria-setsize={items.length}
            aria-posinset={firstIndex + offset + 1}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(firstIndex + offset) * rowHeight}px)` }}
          >
            {render(item, firstIndex + offset)}
          </li>
        ))}
      </ul>
    </section>
  );
}
