import { expect, it } from 'vitest';
import { matchPath } from './route';

it.each([
  ['/', '/', {}],
  ['/servers', '/servers/', {}],
  ['/servers/:id', '/servers/12', { id: 12 }],
  ['/servers/:id/tools/:tool', '/servers/1/tools/2', { id: 1, tool: 2 }],
  ['/servers/:id', '/servers', undefined],
  ['/servers/:id', '/servers/abc', undefined],
  ['/servers/:id', '/servers/0', undefined],
  ['/servers/:id', '/servers/9007199254740991', { id: 9_007_199_254_740_991 }],
  ['/servers/:id', '/servers/9007199254740992', undefined],
  ['/servers/:id/tools', '/servers/1/keys', undefined],
  ['/', '/servers', undefined],
])('the parameters of %s in the path %s are %j', (pattern, path, params) => {
  expect(matchPath(pattern, path)).toEqual(params);
});
