/** Expiry of API keys and endpoint keys. */
import { parseTime } from './format';

const dayMs = 86_400_000;
/** A key that expires within this time is marked as expiring soon. */
const soonMs = 7 * dayMs;

export const expiryOptions = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'custom', label: 'On a custom date' },
] as const;

export type Expiry = (typeof expiryOptions)[number]['value'];

/** Formats the expiry for the API; undefined for never. A custom date (UTC) includes the whole day. */
export function expiryTime(expiry: Expiry, day: string, now: Date): string | undefined {
  if (expiry === 'never') return undefined;
  if (expiry === 'custom') return `${day}T23:59:59`;
  return new Date(now.getTime() + Number(expiry) * dayMs).toISOString().slice(0, 19);
}

/** `soon`: within a week. */
export function expiryState(expiresAt: string | null, now: Date): 'never' | 'later' | 'soon' | 'expired' {
  if (expiresAt === null) return 'never';
  const remainingMs = parseTime(expiresAt).getTime() - now.getTime();
  if (remainingMs <= 0) return 'expired';
  return remainingMs < soonMs ? 'soon' : 'later';
}
