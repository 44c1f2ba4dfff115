/** The list of calls. New calls appear at the top; while the user reads further down, a button shows their number. */
import type { RefObject } from 'preact';
import type { Call } from '../../api/types';
import type { LoadedCalls } from '../../logic/call-log';
import { plural } from '../../logic/format';
import { Icon } from '../../ui/Icon';
import { useNarrow } from '../../ui/use-narrow';
import { VirtualList } from '../../ui/VirtualList';
import { CallHead, CallRow } from './CallRow';

export interface CallsListProps {
  calls: LoadedCalls<Call>;
  /** Ref to the scrolling element. */
  frame: RefObject<HTMLElement>;
  hrefOf: (call: Call) => string;
  /** Number of new calls that are not in the list yet. */
  waiting: number;
  onShowWaiting: () => void;
  loadingOlder: boolean;
  onEnd: () => void;
}

export function CallsList({ calls, frame, hrefOf, waiting, onShowWaiting, loadingOlder, onEnd }: CallsListProps) {
  // In pixels. Rows have two lines on narrow screens.
  const rowHeight = useNarrow() ? 68 : 40;
  const show = () => {
    frame.current?.scrollTo({ top: 0 });
    onShowWaiting();
  };
  return (
    <div class="calls-frame">
      <CallHead />
      <div class="calls-pill-slot" role="status">
        {waiting > 0 && (
          <button type="button" class="calls-pill" onClick={show}>
            <Icon name="arrow-up" />
            {plural(waiting, 'new call')}
          </button>
        )}
      </div>
      {/* Arrow keys move between the rows, which are links. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div onKeyDown={moveFocus}>
        <VirtualList
          label="Calls"
          items={calls.rows}
          itemKey={({ id }) => id}
          rowHeight={rowHeight}
          height="max(320px, calc(100dvh - 296px))"
          frame={frame}
          render={(call) => <CallRow call={call} href={hrefOf(call)} />}
          onEnd={onEnd}
        />
      </div>
      <p class="calls-foot">
        {plural(calls.rows.length, 'call')} loaded
        {loadingOlder && ' · loading older calls…'}
        {calls.nextBefore === undefined && ' · end of log'}
      </p>
    </div>
  );
}

/** Arrow up and down focus the previous and next row. */
function moveFocus(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const row = event.target instanceof Element ? event.target.closest('li') : null;
  const sibling = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling;
  const link = sibling?.querySelector('a');
  if (!link) return;
  event.preventDefault();
  link.focus();
}
