/** The browser's select, with a label. */
import { Field, type FieldProps } from './Field';

export interface Option<V extends string> {
  value: V;
  label: string;
  disabled?: boolean | undefined;
}

export interface SelectProps<V extends string> extends FieldProps {
  value: V;
  options: readonly Option<V>[];
  onValue: (value: V) => void;
  disabled?: boolean | undefined;
}

export function Select<V extends string>(props: SelectProps<V>) {
  const { label, hint, error, optional, hideLabel, value, options, onValue, disabled = false } = props;
  const choose = (index: number) => {
    const option = options[index];
    if (option) onValue(option.value);
  };
  return (
    <Field label={label} hint={hint} error={error} optional={optional} hideLabel={hideLabel}>
      {(control) => (
        <select
          {...control}
          class="control"
          value={value}
          disabled={disabled}
          onChange={(event) => choose(event.currentTarget.selectedIndex)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled ?? false}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
