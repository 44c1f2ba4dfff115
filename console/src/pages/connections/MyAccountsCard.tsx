/** The linked accounts of the signed-in person; nothing if there are none. */
import { get, remove } from '../../api/client';
import { useQuery } from '../../api/use-query';
import { mayRemoveOwnAccounts } from '../../logic/access';
import { useMe } from '../../session/me';
import { signOut } from '../../session/session';
import { Card } from '../../ui/Card';
import { AccountsTable } from './AccountsTable';

export function MyAccountsCard() {
  const me = useMe();
  const accounts = useQuery((signal) => get('/me/identities', { signal }), []);
  if (!me || (!accounts.error && !accounts.data?.data.length)) return null;
  return (
    <Card title="Linked accounts" description="Accounts at an OpenID provider with which you sign in.">
      <AccountsTable
        query={accounts}
        removable={mayRemoveOwnAccounts(me)}
        onRemove={({ id }) => remove('/me/identities/{identity_id}', { path: { identity_id: id } })}
        // The removal ended the session, unless it was opened with a key.
        onRemoved={() => (me.key === null ? signOut() : accounts.reload())}
      />
    </Card>
  );
}
