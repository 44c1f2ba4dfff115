import { expect, it } from 'vitest';
import { safeHref } from './safe-link';

it('only http and https become links', () => {
  expect(safeHref('https://a.example/b')).toBe('https://a.example/b');
  for (const hostile of ['javascript:alert(1)', ' JaVaScript:alert(1)', 'data:text/html,x', '//a.example', 'a'])
    expect(safeHref(hostile)).toBeUndefined();
});
