import { expect, it } from 'vitest';
import { expiryState, expiryTime } from './expiry';

const now = new Date('2026-11-15T12:00:00.500Z');

it('a key expires after the chosen time', () => {
  expect(expiryTime('never', '', now)).toBeUndefined();
  expect(expiryTime('30', '', now)).toBe('2026-12-15T12:00:00');
  expect(expiryTime('custom', '2026-12-24', now)).toBe('2026-12-24T23:59:59');
});

it('a key that expires within a week expires soon', () => {
  expect(expiryState(null, now)).toBe('never');
  expect(expiryState('2026-11-15T12:00:00', now)).toBe('expired');
  expect(expiryState('2026-11-22T11:59:59', now)).toBe('soon');
  expect(expiryState('2026-11-23T12:00:00', now)).toBe('later');
});
