/** Several lines of text. */
import { Field, type FieldProps } from './Field';

export interface TextAreaProps extends FieldProps {
  value: string;
  onValue: (value: string) => void;
  rows?: number | undefined;
  placeholder?: string | undefined;
  mono?: boolean | undefined;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  readOnly?: boolean | undefined;
  autofocus?: boolean | undefined;
  onPaste?: ((event: ClipboardEvent) => void) | undefined;
}

export function TextArea(props: TextAreaProps) {
  const { label, hint, error, optional, hideLabel, value, onValue, rows = 3, mono, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error} optional={optional} hideLabel={hideLabel}>
      {(control) => (
        <textarea
          {...control}
          {...rest}
          class={mono ? 'control control-mono' : 'control'}
          rows={rows}
          value={value}
          spellcheck={!mono}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
