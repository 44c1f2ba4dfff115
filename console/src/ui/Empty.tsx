/** Empty state: what is missing, and the next step. */
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './Icon';
import './Empty.css';

export interface EmptyProps {
  icon?: IconName | undefined;
  title: string;
  /** `h1` if nothing else is on the page. */
  heading?: 'h1' | 'h2' | undefined;
  action?: ComponentChildren;
  children?: ComponentChildren;
}

export function Empty({ icon, title, heading: Heading = 'h2', action, children }: EmptyProps) {
  return (
    <div class="empty">
      {icon && (
        <span class="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      <Heading>{title}</Heading>
      {children && <div class="empty-text">{children}</div>}
      {action && <div class="row empty-action">{action}</div>}
    </div>
  );
}
