/** Segmented control for a few short options. It consists of radio buttons, so that arrow keys work. */
import { useId } from 'preact/hooks';
import type { Option } from './Select';
import './Segmented.css';

export interface SegmentedProps<V extends string> {
  /** Accessible name. */
  label: string;
  value: V;
  options: readonly Option<V>[];
  onValue: (value: V) => void;
  disabled?: boolean | undefined;
}

export function Segmented<V extends string>({ label, value, options, onValue, disabled = false }: SegmentedProps<V>) {
  const name = useId();
  return (
    <fieldset class="segmented" disabled={disabled}>
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="segmented-option">
          <input
            class="segmented-input"
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled ?? false}
            onChange={() => onValue(option.value)}
          />
          <span class="segmented-text">{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
