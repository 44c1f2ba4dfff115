/** A definition list of names and values. */
import type { ComponentChildren } from 'preact';

export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="settings-facts">{children}</dl>;
}

export interface FactProps {
  label: string;
  /** What it means, or how to change it. */
  hint?: ComponentChildren;
  children: ComponentChildren;
}

export function Fact({ label, hint, children }: FactProps) {
  return (
    <div class="settings-fact">
      <dt>{label}</dt>
      <dd>
        {children}
        {hint && <p class="field-hint">{hint}</p>}
      </dd>
    </div>
  );
}
