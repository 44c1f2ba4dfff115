/** What the signed-in user may do, from `GET /me`. The service checks the same rules; the console hides buttons. */
import type { Me, Server } from '../api/types';

export interface ServerRights {
  /** May change the server and its tools, prompts and resources, and test tools. */
  edit: boolean;
  /** May delete or duplicate the server and change its members. */
  manage: boolean;
  /** May give the server another owner. */
  handOver: boolean;
  /** The rights have loaded, and the user may not change the server. */
  viewOnly: boolean;
}

/** No rights while `me` is unknown, so that no button appears and disappears. */
export function serverRights(me: Me | undefined, server: Pick<Server, 'id' | 'user_id'> | undefined): ServerRights {
  if (!me || !server) return { edit: false, manage: false, handOver: false, viewOnly: false };
  const manage = me.may_write && (me.user.role === 'admin' || me.user.id === server.user_id);
  const member = me.memberships.find(({ server_id }) => server_id === server.id);
  const edit = manage || (me.may_write && member?.role === 'editor');
  return { manage, edit, handOver: me.may_administer, viewOnly: !edit };
}
