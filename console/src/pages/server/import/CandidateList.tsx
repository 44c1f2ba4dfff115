/** The table of candidates. Only visible rows are rendered; arrow keys move between rows. */
import { useRef, useState } from 'preact/hooks';
import type { Candidate } from '../../../logic/api-import';
import type { ImportEdits } from '../../../logic/import-overlay';
import { candidateRange, type Selection, selectionState, setSelected } from '../../../logic/import-selection';
import { Button } from '../../../ui/Button';
import { Empty } from '../../../ui/Empty';
import { useNarrow } from '../../../ui/use-narrow';
import { VirtualList } from '../../../ui/VirtualList';
import { CandidateRow } from './CandidateRow';

export interface CandidateListProps {
  /** The candidates that match the filter. */
  candidates: readonly Candidate[];
  edits: ImportEdits;
  selection: Selection;
  onSelection: (selection: Selection) => void;
  onOpen: (candidate: Candidate) => void;
  onShowAll: () => void;
}

/** In pixels. */
const rowHeight = 44;
const narrowRowHeight = 64;
/** Rows that Page Up and Page Down move by. */
const pageRows = 10;

export function CandidateList(props: CandidateListProps) {
  const { candidates, edits, selection, onSelection, onOpen, onShowAll } = props;
  const [activeIndex, setActiveIndex] = useState(0);
  const frame = useRef<HTMLElement>(null);
  const focusOn = useRef<string>(null);
  const lastToggled = useRef(0);
  const height = useNarrow() ? narrowRowHeight : rowHeight;
  const active = Math.min(activeIndex, candidates.length - 1);

  const moveTo = (index: number) => {
    const next = Math.min(Math.max(index, 0), candidates.length - 1);
    focusOn.current = candidates[next]?.temp_id ?? null;
    // The row with the focus may be removed before the next one is rendered; keys in between go to the list.
    frame.current?.focus({ preventScroll: true });
    scrollTo(frame.current, next * height, height);
    setActiveIndex(next);
  };
  const toggle = (index: number, isSelected: boolean, isRange: boolean) => {
    const range = candidateRange(candidates, isRange ? lastToggled.current : index, index);
    lastToggled.current = index;
    setActiveIndex(index);
    onSelection(setSelected(selection, range, isSelected));
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    const moves: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: candidates.length - 1,
      PageDown: index + pageRows,
      PageUp: index - pageRows,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    moveTo(to);
  };

  if (candidates.length === 0) {
    return (
      <Empty icon="search" title="No matching operations" action={<Button onClick={onShowAll}>Show all</Button>}>
        Try a shorter search or another filter. The selection stays as it is.
      </Empty>
    );
  }
  return (
    <div class="import-table">
      <ListHead candidates={candidates} selection={selection} onSelection={onSelection} />
      <VirtualList
        label="Operations"
        items={candidates}
        itemKey={({ temp_id }) => temp_id}
        rowHeight={height}
        height={`min(${candidates.length * height}px, max(352px, 100vh - 360px))`}
        frame={frame}
        onKey={(event) => onKey(event, active)}
        render={(candidate, index) => (
          <CandidateRow
            candidate={candidate}
            isSelected={selection.has(candidate.temp_id)}
            isEdited={candidate.operation in edits}
            isActive={index === active}
            focusOn={focusOn}
            onToggle={(isSelected, isRange) => toggle(index, isSelected, isRange)}
            onKey={(event) => onKey(event, index)}
            onOpen={() => onOpen(candidate)}
          />
        )}
      />
    </div>
  );
}

interface ListHeadProps {
  candidates: readonly Candidate[];
  selection: Selection;
  onSelection: (selection: Selection) => void;
}

function ListHead({ candidates, selection, onSelection }: ListHeadProps) {
  const state = selectionState(candidates, selection);
  const mark = (input: HTMLInputElement | null) => {
    if (input) input.indeterminate = state === 'some';
  };
  return (
    <div class="import-row import-head">
      <input
        ref={mark}
        class="toggle-checkbox"
        type="checkbox"
        aria-label={`Select all ${candidates.length} shown operations`}
        checked={state === 'all'}
        onChange={() => onSelection(setSelected(selection, candidates, state !== 'all'))}
      />
      <span>Method</span>
      <span>Path</span>
      <span class="import-head-tool">Tool</span>
      <span class="import-cell-tags">Tags</span>
      <span class="import-cell-tokens">Tokens</span>
      <span class="import-cell-marks">Notes</span>
    </div>
  );
}

/** Scrolls so that the row is visible: it must be rendered before it can get the focus. */
function scrollTo(list: HTMLElement | null, top: number, height: number): void {
  if (!list) return;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
}
