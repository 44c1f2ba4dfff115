/** One list of the result of an import or a refresh. */
import type { ComponentChildren } from 'preact';
import { Card } from '../../../ui/Card';
import { VirtualList } from '../../../ui/VirtualList';
import './ResultList.css';

/** In pixels. */
const rowHeight = 36;

interface ResultListProps<Item> {
  title: string;
  items: readonly Item[];
  render: (item: Item) => ComponentChildren;
}

export function ResultList<Item extends { name: string }>({ title, items, render }: ResultListProps<Item>) {
  if (items.length === 0) return null;
  return (
    <Card title={`${title}: ${items.length}`}>
      <VirtualList
        label={title}
        items={items.map((item, index) => ({ item, index }))}
        itemKey={({ index }) => index}
        rowHeight={rowHeight}
        height={`min(${items.length * rowHeight}px, 360px)`}
        render={({ item }) => <div class="result-list-row">{render(item)}</div>}
      />
    </Card>
  );
}

/** The name of a tool and a reason, for example why it was skipped. */
export function ResultReason({
  name,
  reason,
  pointer,
}: {
  name: string;
  reason: string;
  pointer?: string | undefined;
}) {
  return (
    <>
      <code class="result-list-name truncate">{name || 'unknown operation'}</code>
      <span class="small truncate" title={pointer ? `${reason} ${pointer}` : reason}>
        {reason}
      </span>
    </>
  );
}
