/** The top of a page: what it is, and what can be done here. It also names the tab of the browser. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from '../app/Link';
import { Icon } from './Icon';
import './PageHeader.css';

export interface PageHeaderProps {
  title: string;
  /** Beside the title: a Status, a Badge. */
  badge?: ComponentChildren;
  description?: ComponentChildren;
  /** The way up. */
  back?: { href: string; label: string } | undefined;
  actions?: ComponentChildren;
}

export function PageHeader({ title, badge, description, back, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Toolgate`;
  }, [title]);
  return (
    <header class="page-header">
      {back && (
        <Link class="page-header-back" href={back.href}>
          <Icon name="chevron-left" />
          {back.label}
        </Link>
      )}
      <div class="page-header-line">
        <div class="page-header-title">
          <h1>{title}</h1>
          {badge}
        </div>
        {actions && <div class="row">{actions}</div>}
      </div>
      {description && <div class="page-header-text">{description}</div>}
    </header>
  );
}
