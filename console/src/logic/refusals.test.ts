import { expect, it } from 'vitest';
import { refusalLabel } from './refusals';

it('a known reason has a label, an unknown one is shown as it is', () => {
  expect(refusalLabel('expired_key')).toBe('Expired key or token');
  expect(refusalLabel('solar_flare')).toBe('solar_flare');
});
