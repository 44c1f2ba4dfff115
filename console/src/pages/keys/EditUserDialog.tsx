/** Changes the name and role of a user. */
import { useState } from 'preact/hooks';
import { patch } from '../../api/client';
import type { User } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { type Role, roles } from '../../logic/access';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { toast } from '../../ui/Toast';

const options = roles.map(({ value, label, text }) => ({ value, label: `${label}: ${text}` }));

export interface EditUserDialogProps {
  user: User;
  onChanged: () => void;
  onClose: () => void;
}

export function EditUserDialog({ user, onChanged, onClose }: EditUserDialogProps) {
  const [name, setName] = useState(user.name);
  const [role, setRole] = useState(user.role as Role);
  const save = useMutation(() => patch('/users/{id}', { name, role }, { path: { id: user.id } }), ['name', 'role']);
  const submit = async () => {
    const saved = await save.run();
    if (!saved) return;
    toast(`Saved ${saved.data.name}.`);
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={`Edit ${user.name}`}
      action="Save user"
      dirty={name !== user.name || role !== user.role}
      request={save}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" autofocus value={name} onValue={setName} error={save.fields.name} />
      <Select label="Role" value={role} options={options} onValue={setRole} error={save.fields.role} />
    </FormDialog>
  );
}
