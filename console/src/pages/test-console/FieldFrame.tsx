/** Frame around the fields of an object or list argument. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { FieldProps } from '../../ui/Field';
import { Icon } from '../../ui/Icon';

export function FieldFrame({ label, hint, error, optional, children }: FieldProps & { children: ComponentChildren }) {
  const id = useId();
  return (
    <fieldset class="argument-frame" aria-describedby={error ? `${id}-error` : undefined}>
      <legend class="field-label">
        {label}
        {optional && <span class="field-optional">optional</span>}
      </legend>
      {error && (
        <p id={`${id}-error`} class="field-error">
          <Icon name="warning" />
          <span>{error}</span>
        </p>
      )}
      {hint && <p class="field-hint">{hint}</p>}
      <div class="argument-inner">{children}</div>
    </fieldset>
  );
}
