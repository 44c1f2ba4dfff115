import { expect, it } from 'vitest';
import { pagePath } from './page-access';

it('members see their connections only, first', () => {
  expect(pagePath('member', '/')).toBe('/my-connections');
  expect(pagePath('member', '/my-connections')).toBe('/my-connections');
  expect(pagePath('member', '/servers')).toBeUndefined();
});

it('other roles see every page', () => {
  for (const role of ['admin', 'owner', 'viewer', undefined]) expect(pagePath(role, '/servers')).toBe('/servers');
});
