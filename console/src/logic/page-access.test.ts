import { expect, it } from 'vitest';
import { pagePath } from './page-access';

it('users with the role member see only their connections, also at the start page', () => {
  expect(pagePath('member', '/')).toBe('/my-connections');
  expect(pagePath('member', '/my-connections')).toBe('/my-connections');
  expect(pagePath('member', '/servers')).toBeUndefined();
});

it('other roles see every page', () => {
  for (const role of ['admin', 'owner', 'viewer', undefined]) expect(pagePath(role, '/servers')).toBe('/servers');
});
