import { expect, it } from 'vitest';
import { echoFilter } from './echo';

it('what was typed comes back late, and is known', () => {
  const filter = echoFilter();
  filter.told('a');
  filter.told('ab');
  filter.told('abc');
  expect(['a', 'abc'].map(filter.isEcho)).toEqual([true, true]);
});

it('what others set is none, even where it was typed before', () => {
  const filter = echoFilter();
  filter.told('a');
  filter.isEcho('a');
  expect(filter.isEcho('a')).toBe(false);
  expect(filter.isEcho('{}')).toBe(false);
});
