import { useState } from 'preact/hooks';
import { post } from '../../api/client';
import { useMutation } from '../../api/use-mutation';
import { type Role, roles } from '../../logic/access';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { toast } from '../../ui/Toast';

const options = roles.map(({ value, label, text }) => ({ value, label: `${label}: ${text}` }));

export function CreateUserDialog({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('owner');
  const create = useMutation(() => post('/users', { name, role }), ['name', 'role']);
  const submit = async () => {
    const created = await create.run();
    if (!created) return;
    toast(`Created ${created.data.name}. Create a key or a sign-in link for this user next.`);
    onCreated();
    onClose();
  };
  return (
    <FormDialog
      title="New user"
      action="Create user"
      dirty={name !== ''}
      request={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        placeholder="build-server"
        hint="Afterwards, create a sign-in link with which a person sets a password, or an API key for a program."
        autofocus
        value={name}
        onValue={setName}
        error={create.fields.name}
      />
      <Select label="Role" value={role} options={options} onValue={setRole} error={create.fields.role} />
    </FormDialog>
  );
}
