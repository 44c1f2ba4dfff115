import { expect, it } from 'vitest';
import { keyBody, keyExpiryOptions, keyForm, newKeyForm } from './endpoint-key-form';

const now = new Date('2026-11-15T12:00:00Z');
const key = {
  id: 3,
  server_id: 1,
  name: 'Cursor',
  hint: 'tg_abc…',
  created_at: '2026-11-01T00:00:00',
  expires_at: '2026-12-01T00:00:00',
  last_used_at: null,
  rate_limit_per_min: 30,
};

it('a new key does not expire and has no limit of its own', () => {
  expect(keyBody({ ...newKeyForm(now), name: 'k' }, now)).toEqual({
    name: 'k',
    expires_at: null,
    rate_limit_per_min: null,
  });
});

it('a stored expiry is kept unless another one is chosen', () => {
  const form = keyForm(key, now);
  expect(keyBody(form, now)).toEqual({ name: 'Cursor', rate_limit_per_min: 30 });
  expect(keyBody({ ...form, expiry: '30', limit: '' }, now)).toEqual({
    name: 'Cursor',
    expires_at: '2026-12-15T12:00:00',
    rate_limit_per_min: null,
  });
  expect(keyExpiryOptions(key.expires_at)[0]?.value).toBe('keep');
  expect(keyExpiryOptions(null)[0]?.value).toBe('never');
});
