/** An untrusted URL: a link if it is safe to follow, else plain text. */
import type { ComponentChildren } from 'preact';
import { safeHref } from '../logic/safe-link';
import { Icon } from './Icon';
import './ExternalLink.css';

export function ExternalLink({ href, children }: { href: string; children?: ComponentChildren }) {
  const safeUrl = safeHref(href);
  if (safeUrl === undefined) return <span>{children ?? href}</span>;
  return (
    <a class="external-link" href={safeUrl} target="_blank" rel="noopener noreferrer">
      {children ?? href}
      <Icon name="external" />
    </a>
  );
}
