import { describe, expect, it } from 'vitest';
import { isRawNumber, parseExact } from './exact-json';

const text =
  '{"id":12345678901234567890,"price":0.12345678901234567,"n":2,"list":[1e400,-0.5],"s":"12345678901234567890"}';

describe('exact JSON', () => {
  it.runIf('rawJSON' in JSON)('keeps the digits of every number', () => {
    const parsed = parseExact(text);
    expect(JSON.stringify(parsed)).toBe(text);
    expect(isRawNumber(2)).toBe(false);
  });

  it('parses JSON without long numbers as usual', () => {
    expect(parseExact('{"a":[1,-0.5,"x",null,true]}')).toEqual({ a: [1, -0.5, 'x', null, true] });
  });
});
