import { useState } from 'preact/hooks';
import { post } from '../../api/client';
import { useMutation } from '../../api/use-mutation';
import { type Role, roles } from '../../logic/access';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Dialog } from '../../ui/Dialog';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { toast } from '../../ui/Toast';

const options = roles.map(({ value, label, text }) => ({ value, label: `${label}: ${text}` }));

export function CreateUserDialog({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('owner');
  const create = useMutation(() => post('/users', { name, role }), ['name', 'role']);
  const submit = async (event: Event) => {
    event.preventDefault();
    const created = await create.run();
    if (!created) return;
    toast(`${created.data.name} was made. Make a key for this user next.`);
    onCreated();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="New user"
      dirty={name !== ''}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="create-user" busy={create.busy}>
            Create user
          </Button>
        </>
      }
    >
      <form id="create-user" class="stack" onSubmit={submit}>
        {create.general && <Callout tone="bad">{create.general}</Callout>}
        <TextField
          label="Name"
          placeholder="mira"
          hint="Users have no password: they sign in with a key that you make for them."
          autofocus
          value={name}
          onValue={setName}
          error={create.fields.name}
        />
        <Select label="Role" value={role} options={options} onValue={setRole} error={create.fields.role} />
      </form>
    </Dialog>
  );
}
