/** A label, a control, a hint and an error, tied together for those who hear the page. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './Icon';
import './Field.css';

/** What the control has to carry. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

export interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  optional?: boolean | undefined;
  /** The label is read out, but not shown: for a control whose place says what it is. */
  hideLabel?: boolean | undefined;
}

export function Field({
  label,
  hint,
  error,
  optional,
  hideLabel,
  children,
}: FieldProps & { children: (control: ControlProps) => ComponentChildren }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label class={hideLabel ? 'unseen' : 'field-label'} for={id}>
        {label}
        {optional && <span class="field-optional">optional</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p id={`${id}-error`} class="field-error">
          <Icon name="warning" />
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
