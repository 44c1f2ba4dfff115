import { expect, it } from 'vitest';
import { keyFromPaste, looksLikeCurl } from './pasted';

it.each([
  'tg_abc',
  '  tg_abc\n',
  "'tg_abc'",
  'Bearer tg_abc',
  'Authorization: Bearer tg_abc',
  'http://127.0.0.1:8080/#key=tg_abc',
])('%j is the key tg_abc', (text) => {
  expect(keyFromPaste(text)).toBe('tg_abc');
});

it.each(['curl https://a.example', '$ curl -X POST https://a.example', '\n  curl.exe "https://a.example"'])(
  '%j is a curl command',
  (text) => {
    expect(looksLikeCurl(text)).toBe(true);
  },
);

it.each(['', 'curl', 'curling https://a.example', 'use curl https://a.example'])('%j is not a curl command', (text) => {
  expect(looksLikeCurl(text)).toBe(false);
});
