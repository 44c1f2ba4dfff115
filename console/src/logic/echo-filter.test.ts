import { expect, it } from 'vitest';
import { echoFilter } from './echo-filter';

it('a late echo of typed text is recognised', () => {
  const filter = echoFilter();
  filter.record('a');
  filter.record('ab');
  filter.record('abc');
  expect(['a', 'abc'].map(filter.isEcho)).toEqual([true, true]);
});

it('a value set by others is not an echo, even if it was typed before', () => {
  const filter = echoFilter();
  filter.record('a');
  filter.isEcho('a');
  expect(filter.isEcho('a')).toBe(false);
  expect(filter.isEcho('{}')).toBe(false);
});
