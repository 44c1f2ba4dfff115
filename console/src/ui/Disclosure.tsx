/** Collapsible details. */
import type { ComponentChildren } from 'preact';
import { Icon } from './Icon';
import './Disclosure.css';

export interface DisclosureProps {
  summary: ComponentChildren;
  open?: boolean | undefined;
  children: ComponentChildren;
}

export function Disclosure({ summary, open = false, children }: DisclosureProps) {
  return (
    <details class="disclosure" open={open}>
      <summary class="disclosure-summary">
        <Icon name="chevron-right" />
        {summary}
      </summary>
      <div class="disclosure-body">{children}</div>
    </details>
  );
}
