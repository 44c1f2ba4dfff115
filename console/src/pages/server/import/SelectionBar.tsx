/** Sums of the selection and the Import button, always visible. */
import { useState } from 'preact/hooks';
import { formatCount, plural } from '../../../logic/format';
import { committedToolsMax, type SelectionSums } from '../../../logic/import-selection';
import { Button } from '../../../ui/Button';
import { Select } from '../../../ui/Select';
import type { ApiImportState } from './use-api-import';
import type { Commit } from './use-commit';

const statusOptions = [
  { value: 'paused', label: 'Create as paused' },
  { value: 'active', label: 'Create as active' },
] as const;

const conflictOptions = [
  { value: 'skip', label: 'Taken names: skip' },
  { value: 'duplicate', label: 'Taken names: add a number' },
  { value: 'update', label: 'Taken names: update the tool' },
] as const;

export interface SelectionBarProps {
  state: ApiImportState;
  sums: SelectionSums;
  total: number;
  commit: Commit;
}

export function SelectionBar({ state, sums, total, commit }: SelectionBarProps) {
  const [status, setStatus] = useState<'paused' | 'active'>('paused');
  const [onConflict, setOnConflict] = useState<'skip' | 'duplicate' | 'update'>('skip');
  const hasNoServer = state.report?.problems.some(({ code }) => code === 'no_server') === true;
  const run = () => {
    const selected_temp_ids = (state.report?.candidates ?? [])
      .filter(({ temp_id }) => state.selection.has(temp_id))
      .map(({ temp_id }) => temp_id);
    const target = { selected_temp_ids, imported_status: status, on_conflict: onConflict };
    void commit.run(state.commitRequest(target), sums.tools);
  };
  const reason = hasNoServer
    ? 'Enter the URL of the API first.'
    : sums.tools === 0
      ? 'Select at least one operation.'
      : sums.tools > committedToolsMax
        ? `Select at most ${formatCount(committedToolsMax)}.`
        : undefined;
  return (
    <section class="import-bar" aria-label="Selection">
      <p class="import-sums" role="status">
        <strong class="number">{formatCount(sums.tools)}</strong> of {formatCount(total)} selected
        <span class="muted number">about {formatCount(sums.tokens)} tokens</span>
        {reason && <span class="import-reason">{reason}</span>}
      </p>
      <div class="row import-actions">
        {sums.taken > 0 && (
          <Select
            label="Tools with a taken name"
            hideLabel
            value={onConflict}
            options={conflictOptions}
            onValue={setOnConflict}
          />
        )}
        <Select label="Status of new tools" hideLabel value={status} options={statusOptions} onValue={setStatus} />
        <Button
          variant="primary"
          icon="download"
          busy={state.busy || commit.state.phase === 'running' || commit.state.phase === 'stopping'}
          disabled={reason !== undefined}
          onClick={run}
        >
          {`Import ${plural(sums.tools, 'tool')}`}
        </Button>
      </div>
    </section>
  );
}
