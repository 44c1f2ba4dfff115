/** The accounts at OpenID providers with which a user signs in. */
import { get, remove } from '../../api/client';
import type { User } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { mayRemoveOwnAccounts } from '../../logic/access';
import { useMe } from '../../session/me';
import { signOut } from '../../session/session';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { AccountsTable } from '../connections/AccountsTable';

export interface UserAccountsDialogProps {
  user: User;
  onChanged: () => void;
  onClose: () => void;
}

export function UserAccountsDialog({ user, onChanged, onClose }: UserAccountsDialogProps) {
  const me = useMe();
  const isOwn = me?.user.id === user.id;
  const accounts = useQuery((signal) => get('/users/{id}/identities', { path: { id: user.id }, signal }), [user.id]);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Accounts of ${user.name}`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <AccountsTable
        query={accounts}
        userName={isOwn ? undefined : user.name}
        removable={me !== undefined && (!isOwn || mayRemoveOwnAccounts(me))}
        onRemove={({ id }) =>
          remove('/users/{id}/identities/{identity_id}', { path: { id: user.id, identity_id: id } })
        }
        onRemoved={() => {
          // The removal ended the session, unless it was opened with a key.
          if (isOwn && me.key === null) return signOut();
          accounts.reload();
          onChanged();
        }}
      />
    </Dialog>
  );
}
