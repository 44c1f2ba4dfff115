import { expect, it } from 'vitest';
import { axisLabel } from './chart-axis';

const [hourSeconds, daySeconds, monthSeconds] = [3600, 86_400, 31 * 86_400];

it('labels depend on the seconds between two ticks', () => {
  expect(axisLabel(new Date(2026, 9, 18), monthSeconds)).toBe('Oct 2026');
  expect(axisLabel(new Date(2026, 9, 18), daySeconds)).toBe('Oct 18');
  expect(axisLabel(new Date(2026, 9, 18, 14), hourSeconds)).toBe('14:00');
});

it('among hours, midnight shows the day', () => {
  expect(axisLabel(new Date(2026, 9, 18), hourSeconds)).toBe('Oct 18');
  expect(axisLabel(new Date(2026, 9, 18, 0, 30), hourSeconds / 2)).toBe('00:30');
});
