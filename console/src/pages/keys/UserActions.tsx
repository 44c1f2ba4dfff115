/** The buttons of a user: edit, sign-in link, linked accounts, disable or enable, delete. */
import { useState } from 'preact/hooks';
import { patch, remove } from '../../api/client';
import { toApiError } from '../../api/errors';
import type { User } from '../../api/types';
import { Button } from '../../ui/Button';
import { Confirm } from '../../ui/Confirm';
import { toast } from '../../ui/Toast';
import { EditUserDialog } from './EditUserDialog';
import { SignInLinkDialog } from './SignInLinkDialog';
import { UserAccountsDialog } from './UserAccountsDialog';

export interface UserActionsProps {
  user: User;
  /** The signed-in user, who can neither disable nor delete themselves. */
  isSelf: boolean;
  onChanged: () => void;
}

export function UserActions({ user, isSelf, onChanged }: UserActionsProps) {
  const [open, setOpen] = useState<'edit' | 'link' | 'accounts' | 'disable' | 'delete'>();
  const close = () => setOpen(undefined);
  const setDisabled = async (disabled: boolean) => {
    await patch('/users/{id}', { disabled }, { path: { id: user.id } });
    toast(`${disabled ? 'Disabled' : 'Enabled'} ${user.name}.`);
    onChanged();
  };
  const enable = () => setDisabled(false).catch((cause) => toast(toApiError(cause).message, { tone: 'bad' }));
  const name = <span class="visually-hidden"> {user.name}</span>;
  return (
    <span class="keys-actions">
      <Button size="small" onClick={() => setOpen('edit')}>
        Edit{name}
      </Button>
      {!user.disabled && (
        <Button size="small" onClick={() => setOpen('link')}>
          Sign-in link<span class="visually-hidden"> for {user.name}</span>
        </Button>
      )}
      {user.has_provider_account && (
        <Button size="small" onClick={() => setOpen('accounts')}>
          Accounts<span class="visually-hidden"> of {user.name}</span>
        </Button>
      )}
      {!isSelf && (
        <Button size="small" onClick={() => (user.disabled ? void enable() : setOpen('disable'))}>
          {user.disabled ? 'Enable' : 'Disable'}
          {name}
        </Button>
      )}
      {!isSelf && (
        <Button size="small" onClick={() => setOpen('delete')}>
          Delete{name}
        </Button>
      )}
      {open === 'edit' && <EditUserDialog user={user} onChanged={onChanged} onClose={close} />}
      {open === 'link' && <SignInLinkDialog user={user} onClose={close} />}
      {open === 'accounts' && <UserAccountsDialog user={user} onChanged={onChanged} onClose={close} />}
      {open === 'disable' && (
        <Confirm
          title={`Disable ${user.name}`}
          action="Disable user"
          onConfirm={() => setDisabled(true)}
          onClose={close}
        >
          All API keys of this user are refused immediately, the user is signed out in all browsers, and apps that the
          user connected lose access. The user's servers keep working with their endpoint keys. You can enable the user
          again.
        </Confirm>
      )}
      {open === 'delete' && <DeleteUser user={user} onDeleted={onChanged} onClose={close} />}
    </span>
  );
}

function DeleteUser({ user, onDeleted, onClose }: { user: User; onDeleted: () => void; onClose: () => void }) {
  const deleteUser = async () => {
    await remove('/users/{id}', { path: { id: user.id } });
    toast(`Deleted ${user.name}.`);
    onDeleted();
  };
  return (
    <Confirm title="Delete user" action="Delete user" name={user.name} onConfirm={deleteUser} onClose={onClose}>
      This deletes the user and all their API keys, and ends the access of apps that they connected. Everything that
      uses the keys stops working immediately. You cannot delete a user who owns servers: first hand over each server,
      in its settings.
    </Confirm>
  );
}
