/** The accounts at OpenID providers with which a user signs in. */
import { get, remove } from '../../api/client';
import type { User } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { mayRemoveOwnAccounts } from '../../logic/access';
import { useMe } from '../../session/me';
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
        userName={user.name}
        removable={me !== undefined && (me.user.id !== user.id || mayRemoveOwnAccounts(me))}
        onRemove={({ id }) =>
          remove('/users/{id}/identities/{identity_id}', { path: { id: user.id, identity_id: id } })
        }
        onRemoved={() => {
          accounts.reload();
          onChanged();
        }}
      />
    </Dialog>
  );
}
