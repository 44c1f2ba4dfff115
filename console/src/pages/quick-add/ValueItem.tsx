/** One value of the request: fixed, an argument with a name, a type and a description, or left out. */
import type { RowEdit, ValueMode, ValueRow } from '../../logic/curl-draft';
import { jsonTypes } from '../../logic/json-types';
import { Icon } from '../../ui/Icon';
import { Segmented } from '../../ui/Segmented';
import { Select } from '../../ui/Select';
import { Checkbox } from '../../ui/Switch';
import { TextField } from '../../ui/TextField';

export interface ValueItemProps {
  row: ValueRow;
  error: string | undefined;
  onEdit: (changes: RowEdit) => void;
}

export function ValueItem({ row, error, onEdit }: ValueItemProps) {
  return (
    <li class={`quick-add-value ${rowClasses[row.mode]}`}>
      <div class="quick-add-value-line">
        <ValueText row={row} />
        {row.modes.length > 1 ? (
          <ModeChoice row={row} onEdit={onEdit} />
        ) : (
          <LockedMode mode={row.mode} reason={row.lockReason ?? ''} />
        )}
      </div>
      {row.secret && row.mode === 'fixed' && row.location !== 'header' && (
        <p class="quick-add-exposed small">This is stored in readable form, not encrypted.</p>
      )}
      {row.mode === 'argument' && <ArgumentFields row={row} error={error} onEdit={onEdit} />}
    </li>
  );
}

const rowClasses: Record<ValueMode, string> = {
  fixed: '',
  argument: 'quick-add-value-open',
  omitted: 'quick-add-value-omitted',
};
const labels: Record<ValueMode, string> = { fixed: 'Fixed', argument: 'Argument', omitted: 'Left out' };
const modes = ['fixed', 'argument', 'omitted'] as const;

function ModeChoice({ row, onEdit }: Omit<ValueItemProps, 'error'>) {
  // A part of the URL cannot be left out, so it is not offered.
  const shown = modes.filter((mode) => mode !== 'omitted' || row.modes.includes(mode));
  const options = shown.map((value) => ({ value, label: labels[value], disabled: !row.modes.includes(value) }));
  const choices = shown.length > 2 ? 'fixed, an argument or left out' : 'fixed or an argument';
  return (
    <div title={row.lockReason}>
      <Segmented
        label={`${displayedName(row)}: ${choices}`}
        value={row.mode}
        options={options}
        onValue={(mode) => onEdit({ mode })}
      />
      {row.lockReason !== undefined && <span class="visually-hidden">{row.lockReason}</span>}
    </div>
  );
}

function displayedName({ parent, label }: ValueRow): string {
  return parent === undefined ? label : `${parent}.${label}`;
}

function LockedMode({ mode, reason }: { mode: ValueMode; reason: string }) {
  return (
    <span class="quick-add-locked" title={reason}>
      <Icon name="lock" />
      {labels[mode]}
      <span class="visually-hidden">: {reason}</span>
    </span>
  );
}

/** Longer values are cut off: in the row, and in the tooltip. */
const textLengthMax = 200;
const titleLengthMax = 2000;

function ValueText({ row }: { row: ValueRow }) {
  const isSegment = row.origin.kind === 'segment';
  const text = row.secret ? '••••••••' : (JSON.stringify(row.value) ?? '');
  return (
    <p class="quick-add-value-text truncate">
      <code class="quick-add-value-name">{isSegment ? `/${row.label}` : displayedName(row)}</code>
      {!isSegment && row.value !== undefined && (
        <code class="quick-add-value-pasted" title={row.secret ? undefined : text.slice(0, titleLengthMax)}>
          {text.slice(0, textLengthMax)}
        </code>
      )}
    </p>
  );
}

const anyType = { value: '', label: 'any' } as const;
const typeOptions = jsonTypes.map((type) => ({ value: type, label: type }));

function ArgumentFields({ row, error, onEdit }: ValueItemProps) {
  // A path segment cannot be omitted.
  const isAlwaysRequired = row.location === 'path';
  const options = row.imported.property.type === undefined ? [anyType, ...typeOptions] : typeOptions;
  return (
    <div class="quick-add-argument">
      <TextField
        label="Argument"
        mono
        value={row.argument}
        error={error}
        onValue={(argument) => onEdit({ argument })}
      />
      <Select
        label="Type"
        value={row.type ?? ''}
        options={options}
        onValue={(type) => onEdit({ type: type === '' ? undefined : type })}
      />
      <TextField
        label="Description"
        placeholder="What the model should know"
        value={row.description}
        onValue={(description) => onEdit({ description })}
      />
      <Checkbox
        label="Required"
        checked={isAlwaysRequired || row.required}
        disabled={isAlwaysRequired}
        onValue={(required) => onEdit({ required })}
      />
    </div>
  );
}
