/** Creates an API key and shows it once. */
import { useState } from 'preact/hooks';
import { post } from '../../api/client';
import type { CreatedApiKey, Me, User } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { grantableScopes, type Scope, scopesForUser, toggleScope } from '../../logic/access';
import { type Expiry, expiryOptions, expiryTime } from '../../logic/expiry';
import { utcDay } from '../../logic/format';
import { FormDialog } from '../../ui/FormDialog';
import { SecretDialog } from '../../ui/SecretDialog';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { ScopesField } from './ScopesField';

export interface CreateKeyDialogProps {
  me: Me;
  users: readonly User[];
  onCreated: () => void;
  onClose: () => void;
}

export function CreateKeyDialog({ me, users, onCreated, onClose }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<CreatedApiKey>();
  const done = (key: CreatedApiKey) => {
    setCreated(key);
    onCreated();
  };
  return created ? (
    <SecretDialog title={`API key ${created.name}`} label="API key" value={created.key} onClose={onClose} />
  ) : (
    <KeyForm me={me} users={users} onCreated={done} onClose={onClose} />
  );
}

function KeyForm({
  me,
  users,
  onCreated,
  onClose,
}: Omit<CreateKeyDialogProps, 'onCreated'> & { onCreated: (key: CreatedApiKey) => void }) {
  const [name, setName] = useState('');
  const [userId, setUserId] = useState(String(me.user.id));
  const [chosenScopes, setChosenScopes] = useState<Scope[]>(grantableScopes(me).filter((scope) => scope !== 'admin'));
  const offeredScopes = scopesForUser(
    users.find(({ id }) => String(id) === userId),
    grantableScopes(me),
  );
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [day, setDay] = useState(utcDay(new Date()));
  const create = useMutation(() => {
    const expires_at = expiryTime(expiry, day, new Date());
    return post('/api-keys', {
      name,
      user_id: Number(userId),
      scopes: chosenScopes.filter((scope) => offeredScopes.includes(scope)),
      ...(expires_at ? { expires_at } : {}),
    });
  }, ['name', 'user_id', 'scopes', 'expires_at']);
  const submit = async () => {
    const reply = await create.run();
    if (reply) onCreated(reply.data);
  };
  return (
    <FormDialog
      title="New API key"
      action="Create key"
      dirty={name !== ''}
      request={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        placeholder="Deploy script"
        hint="Say what the key is for, so that you recognise it later."
        autofocus
        value={name}
        onValue={setName}
        error={create.fields.name}
      />
      {me.may_administer && (
        <Select
          label="User"
          hint="The key has access to this user's servers."
          value={userId}
          options={users.map((user) => ({ value: String(user.id), label: user.name }))}
          onValue={setUserId}
          error={create.fields.user_id}
        />
      )}
      <ScopesField
        offeredScopes={offeredScopes}
        chosenScopes={chosenScopes}
        onScope={(scope, on) => setChosenScopes(toggleScope(chosenScopes, scope, on))}
        error={create.fields.scopes}
      />
      <Select
        label="Expires"
        value={expiry}
        options={expiryOptions}
        onValue={setExpiry}
        error={expiry === 'custom' ? undefined : create.fields.expires_at}
      />
      {expiry === 'custom' && (
        <TextField
          label="Last day"
          type="date"
          hint="The key works until the end of this day, UTC."
          min={utcDay(new Date())}
          value={day}
          onValue={setDay}
          error={create.fields.expires_at}
        />
      )}
    </FormDialog>
  );
}
