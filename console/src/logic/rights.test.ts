import { expect, it } from 'vitest';
import type { Me } from '../api/types';
import { serverRights } from './rights';

const SERVER_OWNER_ID = 2;
const OTHER_USER_ID = 3;
const server = { id: 7, user_id: SERVER_OWNER_ID };

/**
 * The signed-in user. `role` is the role in the installation: with `owner`, the user may own servers; who owns `server`
 * is a different matter.
 */
function me(id: number, role: string, change: Partial<Me> = {}): Me {
  const user = { id, name: 'u', role, disabled: false, created_at: '', updated_at: '' };
  const key = { id: 1, name: 'k', user_id: id, scopes: ['write'], hint: '…', created_at: '', expires_at: null };
  return { user, key, may_write: true, may_administer: false, memberships: [], ...change } as Me;
}

it('the owner manages the server, and only an administrator hands it over', () => {
  expect(serverRights(me(SERVER_OWNER_ID, 'owner'), server)).toEqual({
    edit: true,
    manage: true,
    handOver: false,
    viewOnly: false,
  });
  expect(serverRights(me(1, 'admin', { may_administer: true }), server)).toEqual({
    edit: true,
    manage: true,
    handOver: true,
    viewOnly: false,
  });
});

it('an editor edits, a viewer reads, and a key without write scope changes nothing', () => {
  const member = (role: 'viewer' | 'editor') => ({ memberships: [{ server_id: server.id, role }] });
  expect(serverRights(me(OTHER_USER_ID, 'owner', member('editor')), server)).toEqual({
    edit: true,
    manage: false,
    handOver: false,
    viewOnly: false,
  });
  const viewer = serverRights(me(OTHER_USER_ID, 'owner', member('viewer')), server);
  expect([viewer.edit, viewer.viewOnly]).toEqual([false, true]);
  expect(serverRights(me(OTHER_USER_ID, 'owner'), server).edit).toBe(false);
  expect(serverRights(me(SERVER_OWNER_ID, 'owner', { may_write: false }), server).edit).toBe(false);
  const unknown = serverRights(undefined, server);
  expect([unknown.edit, unknown.viewOnly]).toEqual([false, false]);
});
