/** Editor for names and values, such as headers. The last row is always empty. */
import { useId, useRef } from 'preact/hooks';
import { IconButton } from './IconButton';
import type { Option } from './Select';
import './KeyValueEditor.css';

export interface KeyValuePair {
  name: string;
  value: string;
}

export interface KeyValueEditorProps {
  /** "Headers". */
  label: string;
  pairs: readonly KeyValuePair[];
  onPairs: (pairs: KeyValuePair[]) => void;
  nameLabel?: string | undefined;
  valueLabel?: string | undefined;
  /** The allowed values; any text if undefined. */
  options?: readonly Option<string>[] | undefined;
  hint?: string | undefined;
  /** Errors by name. */
  errors?: Record<string, string> | undefined;
  disabled?: boolean | undefined;
}

export function KeyValueEditor(props: KeyValueEditorProps) {
  const { label, pairs, onPairs, nameLabel = 'Name', valueLabel = 'Value', errors = {}, disabled = false } = props;
  const { options, hint } = props;
  const hintId = useId();
  const frame = useRef<HTMLFieldSetElement>(null);
  const rows = [...pairs, { name: '', value: '' }];

  const change = (index: number, part: Partial<KeyValuePair>) => {
    const changed = rows.map((row, at) => (at === index ? { ...row, ...part } : row));
    onPairs(changed.filter((row, at) => at < pairs.length || row.name !== '' || row.value !== ''));
  };
  const removeAt = (index: number) => {
    onPairs(pairs.filter((_, at) => at !== index));
    // The focused button was removed: focus the row that moved to its position.
    frame.current?.querySelectorAll<HTMLInputElement>('.pairs-name')[index]?.focus();
  };

  return (
    <fieldset ref={frame} class="pairs" disabled={disabled} aria-describedby={hint ? hintId : undefined}>
      <legend class="field-label">{label}</legend>
      {rows.map((row, index) => (
        // The index is the only stable key: names change with every keystroke.
        <div key={index} class="pairs-row">
          <input
            class="control control-mono pairs-name"
            aria-label={`${nameLabel} ${index + 1}`}
            placeholder={nameLabel}
            aria-invalid={errors[row.name] ? true : undefined}
            autocomplete="off"
            spellcheck={false}
            value={row.name}
            onInput={(event) => change(index, { name: event.currentTarget.value })}
          />
          <ValueInput
            label={row.name ? `${valueLabel} of ${row.name}` : `${valueLabel} ${index + 1}`}
            placeholder={valueLabel}
            value={row.value}
            options={options}
            onValue={(value) => change(index, { value })}
          />
          <IconButton
            icon="close"
            label={row.name ? `Remove ${row.name}` : 'Remove row'}
            disabled={disabled || index === pairs.length}
            onClick={() => removeAt(index)}
          />
          {row.name !== '' && errors[row.name] && <p class="field-error pairs-error">{errors[row.name]}</p>}
        </div>
      ))}
      {hint && (
        <p id={hintId} class="field-hint">
          {hint}
        </p>
      )}
    </fieldset>
  );
}

interface ValueInputProps {
  label: string;
  placeholder: string;
  value: string;
  options: readonly Option<string>[] | undefined;
  onValue: (value: string) => void;
}

function ValueInput({ label, placeholder, value, options, onValue }: ValueInputProps) {
  if (!options) {
    return (
      <input
        class="control control-mono"
        aria-label={label}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    );
  }
  return (
    <select class="control" aria-label={label} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
      <option value="">{placeholder}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** Of rows with the same name, the last one is used; rows without a name are dropped. */
export function valuesOf(pairs: readonly KeyValuePair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
}
