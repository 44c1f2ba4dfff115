/** Coloured labels. Status adds a dot, and maps status values of the API to labels. */
import type { ComponentChildren } from 'preact';
import './Badge.css';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

export function Badge({ tone = 'neutral', children }: { tone?: Tone | undefined; children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

const statuses: Record<string, { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'good' },
  paused: { label: 'Paused', tone: 'warn' },
  draft: { label: 'Draft', tone: 'neutral' },
  success: { label: 'Success', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

export function Status({ value, label }: { value: string; label?: string | undefined }) {
  const { label: defaultLabel, tone } = statuses[value] ?? { label: value, tone: 'neutral' };
  return (
    <span class={`status status-${tone}`}>
      <span class="status-dot" />
      {label ?? defaultLabel}
    </span>
  );
}
