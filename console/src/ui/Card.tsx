/** A framed section of a page; Stat is a card for one number. */
import type { ComponentChildren } from 'preact';
import { Skeleton } from './Skeleton';
import './Card.css';

export interface CardProps {
  title?: string | undefined;
  description?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Card({ title, description, actions, children }: CardProps) {
  return (
    <section class="card">
      {(title || actions) && (
        <header class="card-head">
          <div class="grow">
            {title && <h2 class="card-title">{title}</h2>}
            {description && <div class="card-text">{description}</div>}
          </div>
          {actions && <div class="row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

export interface StatProps {
  label: string;
  /** Undefined while it loads. */
  value: string | undefined;
  /** A comparison: "1,204 yesterday". */
  note?: ComponentChildren;
  tone?: 'good' | 'bad' | undefined;
}

export function Stat({ label, value, note, tone }: StatProps) {
  return (
    <div class="card stat">
      <p class="stat-label">{label}</p>
      <p class={tone ? `stat-value stat-${tone}` : 'stat-value'}>{value ?? <Skeleton width="72px" height="24px" />}</p>
      <div class="stat-note">{value === undefined ? <Skeleton width="96px" /> : note}</div>
    </div>
  );
}
