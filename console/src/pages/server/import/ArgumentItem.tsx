/** One argument of a candidate: filled in by the model, fixed, or hidden. */
import type { ArgumentEdit, ArgumentMode, CandidateArgument } from '../../../logic/import-overlay';
import { Badge } from '../../../ui/Badge';
import { Segmented } from '../../../ui/Segmented';
import { TextField } from '../../../ui/TextField';

export interface ArgumentItemProps {
  argument: CandidateArgument;
  edit: ArgumentEdit;
  onEdit: (edit: ArgumentEdit) => void;
  error: string | undefined;
}

const modes: { value: ArgumentMode; label: string }[] = [
  { value: 'argument', label: 'Argument' },
  { value: 'fixed', label: 'Fixed' },
  { value: 'hidden', label: 'Hidden' },
];

export function ArgumentItem({ argument, edit, onEdit, error }: ArgumentItemProps) {
  const { name, location, type, required, description } = argument;
  const { mode } = edit;
  return (
    <li class="import-argument">
      <div class="row spread">
        <span class="row import-argument-name">
          <code>{name}</code>
          <span class="muted small">
            {type} in {location}
          </span>
          {required && <Badge>required</Badge>}
        </span>
        <Segmented
          label={`How ${name} is sent`}
          value={mode}
          options={modes.map((option) => ({ ...option, disabled: option.value === 'hidden' && required }))}
          onValue={(next) => onEdit({ ...edit, mode: next })}
        />
      </div>
      {mode === 'argument' && (
        <div class="import-argument-fields">
          <TextField
            label={`Name of ${name}`}
            hideLabel
            mono
            placeholder={name}
            value={edit.rename ?? name}
            onValue={(rename) => onEdit({ ...edit, rename })}
            error={error}
          />
          <TextField
            label={`Description of ${name}`}
            hideLabel
            placeholder="Description for the model"
            value={edit.description ?? description}
            onValue={(text) => onEdit({ ...edit, description: text })}
          />
        </div>
      )}
      {mode === 'fixed' && (
        <TextField
          label={`Value of ${name}`}
          hideLabel
          mono
          placeholder={type === 'string' ? 'Value that every call sends' : `Value as JSON (${type})`}
          value={edit.fixed ?? ''}
          onValue={(fixed) => onEdit({ ...edit, fixed })}
          error={error}
        />
      )}
      {mode === 'hidden' && (
        <p class={error ? 'field-error' : 'muted small'}>{error ?? 'Models do not see it, and it is not sent.'}</p>
      )}
    </li>
  );
}
