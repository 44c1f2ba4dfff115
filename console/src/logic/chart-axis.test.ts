import { expect, it } from 'vitest';
import { axisLabel } from './chart-axis';

const [hour, day, month] = [3600, 86_400, 31 * 86_400];

it('labels depend on the distance of the ticks', () => {
  expect(axisLabel(new Date(2026, 9, 18), month)).toBe('Oct 2026');
  expect(axisLabel(new Date(2026, 9, 18), day)).toBe('Oct 18');
  expect(axisLabel(new Date(2026, 9, 18, 14), hour)).toBe('14:00');
});

it('midnight shows the day among hours', () => {
  expect(axisLabel(new Date(2026, 9, 18), hour)).toBe('Oct 18');
  expect(axisLabel(new Date(2026, 9, 18, 0, 30), hour / 2)).toBe('00:30');
});
