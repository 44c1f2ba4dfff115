import { expect, it } from 'vitest';
import { numberOrText, parseInput } from './input-text';

it.runIf('rawJSON' in JSON)('JSON input keeps the digits of long numbers', () => {
  const text = '{"id":12345678901234567890,"list":[0.12345678901234567]}';
  const parsed = parseInput(text);
  expect('value' in parsed && JSON.stringify(parsed.value)).toBe(text);
});

it('invalid JSON input gives an error', () => {
  expect(parseInput('{"a": 1}')).toEqual({ value: { a: 1 } });
  expect(parseInput('{"a": }')).toEqual({ error: expect.stringContaining('not valid JSON') });
});

it('text that is not a number stays text', () => {
  expect(numberOrText('30')).toBe(30);
  expect(numberOrText('soon')).toBe('soon');
  expect(numberOrText(' ')).toBe(' ');
});
