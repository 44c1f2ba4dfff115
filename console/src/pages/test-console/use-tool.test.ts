import { expect, it } from 'vitest';
import { readReplay } from './use-tool';

it('captured arguments are replayed', () => {
  expect(readReplay('{"city":"Oslo"}')).toEqual({ args: { city: 'Oslo' }, note: undefined });
});

it('a note explains why there are no arguments', () => {
  expect(readReplay(null).note).toContain('not captured');
  expect(readReplay('{"city":"Os').note).toContain('truncated');
  expect(readReplay('[1]').args).toBeUndefined();
});

it('masked secrets are removed, and a note asks for them', () => {
  const replay = readReplay('{"city":"Oslo","token":"********"}');
  expect(replay.args).toEqual({ city: 'Oslo' });
  expect(replay.note).toContain('Secrets');
});
