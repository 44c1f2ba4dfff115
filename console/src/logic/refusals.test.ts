import { expect, it } from 'vitest';
import { refusalLabel } from './refusals';

it('a reason has a label, and an unknown one its name', () => {
  expect(refusalLabel('expired_key')).toBe('Expired key or token');
  expect(refusalLabel('solar_flare')).toBe('solar_flare');
});
