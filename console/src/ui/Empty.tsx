/** Empty state: what is missing, and the next step. */
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './Icon';
import './Empty.css';

export interface EmptyProps {
  icon?: IconName | undefined;
  title: string;
  action?: ComponentChildren;
  children?: ComponentChildren;
}

export function Empty({ icon, title, action, children }: EmptyProps) {
  return (
    <div class="empty">
      {icon && (
        <span class="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      <h2>{title}</h2>
      {children && <div class="empty-text">{children}</div>}
      {action && <div class="row empty-action">{action}</div>}
    </div>
  );
}
