/** Page header: title, description and actions. It also sets the document title. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from '../app/Link';
import { Icon } from './Icon';
import './PageHeader.css';

export interface PageHeaderProps {
  title: string;
  /** Next to the title: a Status or a Badge. */
  badge?: ComponentChildren;
  description?: ComponentChildren;
  /** Link to the parent page. */
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
