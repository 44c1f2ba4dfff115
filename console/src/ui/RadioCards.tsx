/** Radio buttons, each with a description. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './RadioCards.css';

export interface RadioCard<V extends string> {
  value: V;
  label: string;
  text: ComponentChildren;
}

export interface RadioCardsProps<V extends string> {
  label: string;
  hideLabel?: boolean | undefined;
  value: V;
  options: readonly RadioCard<V>[];
  onValue: (value: V) => void;
}

export function RadioCards<V extends string>({ label, hideLabel, value, options, onValue }: RadioCardsProps<V>) {
  const name = useId();
  return (
    <fieldset class="radio-cards">
      <legend class={hideLabel ? 'visually-hidden' : 'field-label'}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="radio-card">
          <input
            class="radio-card-input"
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onValue(option.value)}
          />
          <span class="radio-card-label">{option.label}</span>
          <span class="radio-card-text">{option.text}</span>
        </label>
      ))}
    </fieldset>
  );
}
