import { expect, it } from 'vitest';
import { readReplay } from './use-tool';

it('arguments that were kept are used again', () => {
  expect(readReplay('{"city":"Oslo"}')).toEqual({ args: { city: 'Oslo' }, note: undefined });
});

it('says why there are none', () => {
  expect(readReplay(null).note).toContain('not kept');
  expect(readReplay('{"city":"Os').note).toContain('cut');
  expect(readReplay('[1]').args).toBeUndefined();
});

it('masked secrets have to be filled in', () => {
  const replay = readReplay('{"city":"Oslo","token":"********"}');
  expect(replay.args).toEqual({ city: 'Oslo' });
  expect(replay.note).toContain('Secrets');
});
