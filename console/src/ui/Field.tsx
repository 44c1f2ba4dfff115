/** A label, a control, a hint and an error, connected for screen readers. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './Icon';
import './Field.css';

/** Attributes that the control must have. */
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
  /** Hides the label visually; screen readers still announce it. */
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
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label class={hideLabel ? 'visually-hidden' : 'field-label'} for={id}>
        {label}
        {optional && <span class="field-optional">optional</span>}
      </label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
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
