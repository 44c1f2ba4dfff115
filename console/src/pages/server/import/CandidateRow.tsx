import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Candidate, splitOperation } from '../../../logic/api-import';
import { formatCount, plural } from '../../../logic/format';
import { toolTokensMax } from '../../../logic/import-selection';
import { Badge } from '../../../ui/Badge';

export interface CandidateRowProps {
  candidate: Candidate;
  isSelected: boolean;
  isEdited: boolean;
  /** The row that the Tab key reaches. */
  isActive: boolean;
  /** The id of the candidate whose checkbox gets the focus when its row is rendered. */
  focusOn: RefObject<string>;
  onToggle: (isSelected: boolean, isRange: boolean) => void;
  onKey: (event: KeyboardEvent) => void;
  onOpen: () => void;
}

export function CandidateRow(props: CandidateRowProps) {
  const { candidate, isSelected, isEdited, isActive, focusOn, onToggle, onKey, onOpen } = props;
  const { name, operation, tags, estimated_tokens: tokens } = candidate;
  const { method, path } = splitOperation(operation);
  const box = useRef<HTMLInputElement>(null);
  const isRange = useRef(false);
  const tabIndex = isActive ? 0 : -1;

  useLayoutEffect(() => {
    if (focusOn.current !== candidate.temp_id) return;
    focusOn.current = null;
    box.current?.focus({ preventScroll: true });
  });

  return (
    <div class={isSelected ? 'import-row import-row-selected' : 'import-row'}>
      <input
        ref={box}
        class="toggle-checkbox"
        type="checkbox"
        tabIndex={tabIndex}
        aria-label={`Select ${name}, ${operation}`}
        checked={isSelected}
        onClick={(event) => {
          isRange.current = event.shiftKey;
        }}
        onChange={(event) => onToggle(event.currentTarget.checked, isRange.current)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            onOpen();
          } else onKey(event);
        }}
      />
      <span class={`import-method import-method-${method.toLowerCase()}`}>{method}</span>
      <span class="import-path truncate" title={path}>
        <bdi>{path}</bdi>
      </span>
      <button
        type="button"
        class="import-name truncate"
        tabIndex={tabIndex}
        title={candidate.description}
        onClick={onOpen}
        onKeyDown={onKey}
      >
        {name}
      </button>
      <span class="import-cell-tags truncate" title={tags.join(', ')}>
        <bdi>{tags.join(', ')}</bdi>
      </span>
      <span class={tokens > toolTokensMax ? 'import-cell-tokens import-cell-large' : 'import-cell-tokens'}>
        {formatCount(tokens)}
      </span>
      <Marks candidate={candidate} isEdited={isEdited} />
    </div>
  );
}

function Marks({ candidate, isEdited }: { candidate: Candidate; isEdited: boolean }) {
  const { warnings, deprecated, conflict } = candidate;
  const messages = warnings.map(({ message }) => message).join('\n');
  return (
    <span class="import-cell-marks">
      {isEdited && <Badge tone="good">edited</Badge>}
      {conflict !== null && <Badge tone="warn">name taken</Badge>}
      {deprecated && <Badge>deprecated</Badge>}
      {warnings.length > 0 && (
        <span title={messages}>
          <Badge tone="warn">{plural(warnings.length, 'warning')}</Badge>
        </span>
      )}
    </span>
  );
}
