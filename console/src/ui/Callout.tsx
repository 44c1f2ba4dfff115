/** A highlighted message: information, success, a warning, or an error without a field. */
import type { ComponentChildren } from 'preact';
import { Icon } from './Icon';
import './Callout.css';

export interface CalloutProps {
  tone?: 'info' | 'good' | 'warn' | 'bad' | undefined;
  title?: string | undefined;
  action?: ComponentChildren;
  children?: ComponentChildren;
}

const icons = { info: 'info', good: 'check', warn: 'warning', bad: 'warning' } as const;

export function Callout({ tone = 'info', title, action, children }: CalloutProps) {
  return (
    <div class={`callout callout-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <span class="callout-icon">
        <Icon name={icons[tone]} />
      </span>
      <div class="grow">
        {title && <p class="callout-title">{title}</p>}
        {children && <div class="callout-text">{children}</div>}
      </div>
      {action}
    </div>
  );
}
