import { expect, it } from 'vitest';
import { emittedValues } from './emitted-values';

it('a value that the editor emitted is recognised when a delayed render passes it back', () => {
  const emitted = emittedValues();
  emitted.record('a');
  emitted.record('ab');
  emitted.record('abc');
  expect(['a', 'abc'].map(emitted.takeIfEmitted)).toEqual([true, true]);
});

it('a value that the page sets is not taken for an emitted one, even if it was typed before', () => {
  const emitted = emittedValues();
  emitted.record('a');
  emitted.takeIfEmitted('a');
  expect(emitted.takeIfEmitted('a')).toBe(false);
  expect(emitted.takeIfEmitted('{}')).toBe(false);
});
