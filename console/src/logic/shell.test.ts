import { expect, it } from 'vitest';
import { shellWord, shellWords } from './shell';

it('a text without special characters of any shell stays bare', () => {
  expect(shellWord('https://a.example:8080/mcp/x-1/y_2')).toBe('https://a.example:8080/mcp/x-1/y_2');
  expect(shellWords('--name=a', 'b')).toBe('--name=a b');
});

it('double quotes are used for texts that they protect in every shell', () => {
  expect(shellWord('Authorization: Bearer tg_1')).toBe('"Authorization: Bearer tg_1"');
  expect(shellWord('a,b')).toBe('"a,b"');
  expect(shellWord('@a')).toBe('"@a"');
});

it('single quotes are used for variables of a shell, quotes and empty texts', () => {
  expect(shellWord('%PATH%')).toBe("'%PATH%'");
  expect(shellWord('$HOME')).toBe("'$HOME'");
  expect(shellWord("it's")).toBe(`'it'\\''s'`);
  expect(shellWord('')).toBe("''");
});
