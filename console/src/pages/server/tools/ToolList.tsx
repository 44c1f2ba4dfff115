/** The ordered list of tools. Rows are moved by dragging or with the keyboard. */
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

/** In pixels. */
const rowHeight = 60;

export interface ToolListProps {
  tools: Tools;
  /** Tools that match the search; only the complete list can be reordered. */
  shownTools: readonly Tool[];
  serverId: number;
  canEdit: boolean;
}

export function ToolList({ tools, shownTools, serverId, canEdit }: ToolListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const focusOn = useRef<number>(null);
  const [announcement, setAnnouncement] = useState('');
  const [deleting, setDeleting] = useState<Tool>();
  const lastCalls = useLastCalls(serverId);
  const sortable = canEdit && shownTools.length === tools.all?.length && shownTools.length > 1;

  const moveTo = (from: number, to: number) => {
    const tool = shownTools[from];
    const position = Math.min(Math.max(to, 0), shownTools.length - 1);
    if (!tool || !sortable) return;
    if (position === from) return setAnnouncement(`${tool.name} is ${from === 0 ? 'the first' : 'the last'} tool.`);
    tools.reorder(move(shownTools, from, position).map(({ id }) => id));
    setAnnouncement(`${tool.name} moved to position ${position + 1} of ${shownTools.length}.`);
  };
  const moveByKey = (from: number, to: number) => {
    focusOn.current = shownTools[from]?.id ?? null;
    scrollTo(frame.current, Math.min(Math.max(to, 0), shownTools.length - 1));
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
        items={shownTools}
        itemKey={({ id }) => id}
        rowHeight={rowHeight}
        height={`min(${shownTools.length * rowHeight}px, max(420px, 100vh - 300px))`}
        render={(tool, index) => (
          <ToolRow
            tool={tool}
            index={index}
            count={shownTools.length}
            sortable={sortable}
            canEdit={canEdit}
            lastCall={lastCalls && (lastCalls.get(tool.id) ?? 'never')}
            focusOn={focusOn}
            actions={tools}
            onMove={(to) => moveByKey(index, to)}
            onDelete={() => setDeleting(tool)}
          />
        )}
      />
      <p class="visually-hidden" role="status" aria-live="assertive">
        {announcement}
      </p>
      {deleting && (
        <Confirm
          title="Delete tool"
          action="Delete tool"
          onClose={() => setDeleting(undefined)}
          onConfirm={() => tools.remove(deleting)}
        >
          This deletes <strong class="tools-confirm-name">{deleting.name}</strong> and its credential. Clients that call
          the tool get an error. You cannot undo this.
        </Confirm>
      )}
    </div>
  );
}

/** Scrolls to the target, because a row must be rendered before it can be focused. */
function scrollTo(frame: HTMLElement | null, index: number): void {
  const list = frame?.querySelector('.virtual');
  if (!list) return;
  const top = index * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
}
