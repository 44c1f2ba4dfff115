/** The form of an endpoint key: its name, expiry and rate limit. */
import type { EndpointKey } from '../api/types';
import { type Expiry, expiryOptions, expiryTime } from './expiry';
import { formatAbsolute, parseTime, utcDay } from './format';

export interface EndpointKeyForm {
  name: string;
  /** `keep` leaves the stored expiry unchanged. */
  expiry: Expiry | 'keep';
  /** The last day of a custom expiry. */
  day: string;
  /** Requests per minute; empty if the key has no rate limit of its own. */
  limit: string;
}

export const endpointKeyFields = ['name', 'expires_at', 'rate_limit_per_min'];

export function newKeyForm(now: Date): EndpointKeyForm {
  return { name: '', expiry: 'never', day: utcDay(now), limit: '' };
}

export function keyForm(key: EndpointKey, now: Date): EndpointKeyForm {
  return {
    name: key.name,
    expiry: key.expires_at === null ? 'never' : 'keep',
    day: utcDay(now),
    limit: String(key.rate_limit_per_min ?? ''),
  };
}

export interface EndpointKeyBody {
  name: string;
  expires_at?: string | null;
  rate_limit_per_min: number | null;
}

export function keyBody(form: EndpointKeyForm, now: Date): EndpointKeyBody {
  const limit = form.limit.trim();
  return {
    name: form.name,
    rate_limit_per_min: limit === '' ? null : Number(limit),
    ...(form.expiry === 'keep' ? {} : { expires_at: expiryTime(form.expiry, form.day, now) ?? null }),
  };
}

/** The choices of the expiry; a stored expiry can be kept. */
export function keyExpiryOptions(
  expiresAt: string | null,
): readonly { value: EndpointKeyForm['expiry']; label: string }[] {
  if (expiresAt === null) return expiryOptions;
  return [{ value: 'keep', label: formatAbsolute(parseTime(expiresAt)) }, ...expiryOptions];
}
