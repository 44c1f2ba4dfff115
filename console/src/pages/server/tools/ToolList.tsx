/** The list in its order. Rows are dragged, or moved with the keys; only those in sight exist. */
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Tool } from '../../../api/types';
import { move } from '../../../logic/reorder';
import { Confirm } from '../../../ui/Confirm';
import { VirtualList } from '../../../ui/VirtualList';
import { readDrop } from './drag';
import { ToolRow } from './ToolRow';
import { useLastCalls } from './use-last-calls';
import type { Tools } from './use-tools';

const rowHeight = 60;

export interface ToolListProps {
  tools: Tools;
  /** Those that fit the search; only the whole list can be put in order. */
  shown: readonly Tool[];
  serverId: number;
}

export function ToolList({ tools, shown, serverId }: ToolListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const focusOn = useRef<number>(null);
  const [said, setSaid] = useState('');
  const [deleting, setDeleting] = useState<Tool>();
  const lastCalls = useLastCalls(serverId);
  const sortable = shown.length === tools.all?.length && shown.length > 1;

  const moveTo = (from: number, to: number) => {
    const tool = shown[from];
    const place = Math.min(Math.max(to, 0), shown.length - 1);
    if (!tool || !sortable) return;
    if (place === from) return setSaid(`${tool.name} is ${from === 0 ? 'the first' : 'the last'} tool.`);
    tools.reorder(move(shown, from, place).map(({ id }) => id));
    setSaid(`${tool.name} moved to position ${place + 1} of ${shown.length}.`);
  };
  const moveByKey = (from: number, to: number) => {
    focusOn.current = shown[from]?.id ?? null;
    scrollTo(frame.current, Math.min(Math.max(to, 0), shown.length - 1));
    moveTo(from, to);
  };

  const latest = useRef(moveTo);
  latest.current = moveTo;
  useEffect(
    () =>
      monitorForElements({
        onDrop: (event) => {
          const drop = readDrop(event);
          if (drop && drop.from !== drop.to) latest.current(drop.from, drop.to);
        },
      }),
    [],
  );

  return (
    <div ref={frame} class="tools-frame">
      <VirtualList
        label="Tools"
        items={shown}
        itemKey={({ id }) => id}
        rowHeight={rowHeight}
        height={`min(${shown.length * rowHeight}px, max(420px, 100vh - 300px))`}
        render={(tool, index) => (
          <ToolRow
            tool={tool}
            index={index}
            count={shown.length}
            sortable={sortable}
            lastCall={lastCalls && (lastCalls.get(tool.id) ?? 'never')}
            focusOn={focusOn}
            actions={tools}
            onMove={(to) => moveByKey(index, to)}
            onDelete={() => setDeleting(tool)}
          />
        )}
      />
      <p class="unseen" role="status" aria-live="assertive">
        {said}
      </p>
      {deleting && (
        <Confirm
          title="Delete tool"
          action="Delete tool"
          onClose={() => setDeleting(undefined)}
          onConfirm={() => tools.remove(deleting)}
        >
          <strong class="tools-named">{deleting.name}</strong> is deleted with its credential. Clients that call it are
          told that there is no such tool. There is no way back.
        </Confirm>
      )}
    </div>
  );
}

/** A row that is moved far away has to exist there before it can have the focus. */
function scrollTo(frame: HTMLElement | null, index: number): void {
  const list = frame?.querySelector('.virtual');
  if (!list) return;
  const top = index * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
}
