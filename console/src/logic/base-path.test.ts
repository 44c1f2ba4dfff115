import { expect, it } from 'vitest';
import { addBasePath, parseBasePath, removeBasePath } from './base-path';

it.each([
  [undefined, ''],
  ['/', ''],
  ['/gate/', '/gate'],
  ['/a/b/', '/a/b'],
])('the base path of %s is %j', (text, basePath) => {
  expect(parseBasePath(text)).toBe(basePath);
});

it.each([
  ['', '/', '/'],
  ['', '/servers/7', '/servers/7'],
  ['/gate', '/', '/gate/'],
  ['/gate', '/servers?status=active', '/gate/servers?status=active'],
  ['/gate', '/gate', '/gate/gate'],
])('below %j the path %s of the console is %s in the browser, and back', (basePath, path, inBrowser) => {
  expect(addBasePath(basePath, path)).toBe(inBrowser);
  expect(removeBasePath(basePath, inBrowser)).toBe(path);
});

it('queries and paths outside of the base path stay as they are', () => {
  expect(addBasePath('/gate', '?call=3')).toBe('?call=3');
  expect(removeBasePath('/gate', '/gate')).toBe('/');
  expect(removeBasePath('/gate', '/gateway')).toBe('/gateway');
});
