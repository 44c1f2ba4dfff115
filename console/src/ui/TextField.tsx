/** One line of text. */
import { Field, type FieldProps } from './Field';

export interface TextFieldProps extends FieldProps {
  value: string;
  onValue: (value: string) => void;
  type?: 'text' | 'password' | 'number' | 'url' | 'search' | 'date' | 'datetime-local' | undefined;
  placeholder?: string | undefined;
  mono?: boolean | undefined;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  readOnly?: boolean | undefined;
  autofocus?: boolean | undefined;
  autocomplete?: string | undefined;
  min?: number | string | undefined;
  max?: number | string | undefined;
  maxLength?: number | undefined;
  onBlur?: (() => void) | undefined;
}

export function TextField(props: TextFieldProps) {
  const {
    label,
    hint,
    error,
    optional,
    hideLabel,
    value,
    onValue,
    type = 'text',
    mono,
    autocomplete = 'off',
    ...rest
  } = props;
  return (
    <Field label={label} hint={hint} error={error} optional={optional} hideLabel={hideLabel}>
      {(control) => (
        <input
          {...control}
          {...rest}
          class={mono ? 'control control-mono' : 'control'}
          type={type}
          value={value}
          autocomplete={autocomplete}
          spellcheck={!mono}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
