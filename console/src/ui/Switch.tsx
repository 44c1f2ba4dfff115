/** A switch that takes effect immediately. In a form that is saved later, use Checkbox. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './Switch.css';

export interface SwitchProps {
  label: string;
  checked: boolean;
  onValue: (checked: boolean) => void;
  hint?: ComponentChildren;
  hideLabel?: boolean | undefined;
  disabled?: boolean | undefined;
}

export function Switch({ label, checked, onValue, hint, hideLabel, disabled = false }: SwitchProps) {
  return <Toggle kind="switch" {...{ label, checked, onValue, hint, hideLabel, disabled }} />;
}

/** A checkbox in a form. */
export function Checkbox({ label, checked, onValue, hint, hideLabel, disabled = false }: SwitchProps) {
  return <Toggle kind="checkbox" {...{ label, checked, onValue, hint, hideLabel, disabled }} />;
}

function Toggle({
  kind,
  label,
  checked,
  onValue,
  hint,
  hideLabel,
  disabled,
}: SwitchProps & { kind: 'switch' | 'checkbox' }) {
  const id = useId();
  return (
    <div class="toggle">
      <input
        id={id}
        class={`toggle-${kind}`}
        type="checkbox"
        role={kind === 'switch' ? 'switch' : undefined}
        checked={checked}
        disabled={disabled ?? false}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <div>
        <label class={hideLabel ? 'visually-hidden' : 'toggle-label'} for={id}>
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} class="field-hint">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
