/** An untrusted URL: a link if it is safe to follow, else plain text. */
import type { ComponentChildren } from 'preact';
import { safeHref } from '../logic/safe-link';
import { Icon } from './Icon';
import './ExternalLink.css';

export function ExternalLink({ href, children }: { href: string; children?: ComponentChildren }) {
  const safe = safeHref(href);
  if (safe === undefined) return <span>{children ?? href}</span>;
  return (
    <a class="external-link" href={safe} target="_blank" rel="noopener noreferrer">
      {children ?? href}
      <Icon name="external" />
    </a>
  );
}
