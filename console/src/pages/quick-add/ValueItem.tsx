/** One value of the request: fixed, or an argument with a name, a type and a description. */
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
    <li class={row.mode === 'argument' ? 'quick-add-value quick-add-value-open' : 'quick-add-value'}>
      <div class="quick-add-value-line">
        <ValueText row={row} />
        {row.lockReason === undefined ? (
          <Segmented
            label={`${row.label}: fixed or an argument`}
            value={row.mode}
            options={modes}
            onValue={(mode) => onEdit({ mode })}
          />
        ) : (
          <LockedMode mode={row.mode} reason={row.lockReason} />
        )}
      </div>
      {row.mode === 'argument' && <ArgumentFields row={row} error={error} onEdit={onEdit} />}
    </li>
  );
}

const labels: Record<ValueMode, string> = { fixed: 'Fixed', argument: 'Argument' };
const modes = [
  { value: 'fixed', label: labels.fixed },
  { value: 'argument', label: labels.argument },
] as const;

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
      <code class="quick-add-value-name">{isSegment ? `/${row.label}` : row.label}</code>
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
