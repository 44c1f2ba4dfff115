/** Shares a server with a user. */
import { useState } from 'preact/hooks';
import { post } from '../../../api/client';
import { useMutation } from '../../../api/use-mutation';
import { type MemberRole, memberRoles } from '../../../logic/access';
import { FormDialog } from '../../../ui/FormDialog';
import { Select } from '../../../ui/Select';
import { TextField } from '../../../ui/TextField';
import { toast } from '../../../ui/Toast';

const options = memberRoles.map(({ value, label, text }) => ({ value, label: `${label}: ${text}` }));

export interface AddMemberDialogProps {
  serverId: number;
  onAdded: () => void;
  onClose: () => void;
}

export function AddMemberDialog({ serverId, onAdded, onClose }: AddMemberDialogProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<MemberRole>('viewer');
  const add = useMutation(
    () => post('/servers/{id}/members', { user_name: name.trim(), role }, { path: { id: serverId } }),
    ['user_name', 'role'],
  );
  const submit = async () => {
    const added = await add.run();
    if (!added) return;
    toast(`${added.data.user_name} is now ${added.data.role} of this server.`);
    onAdded();
    onClose();
  };
  return (
    <FormDialog
      title="Add member"
      action="Add member"
      dirty={name !== ''}
      request={add}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="User name"
        hint="The name of an existing user. Administrators create users."
        autofocus
        value={name}
        onValue={setName}
        error={add.fields.user_name}
      />
      <Select label="Role" value={role} options={options} onValue={setRole} error={add.fields.role} />
    </FormDialog>
  );
}
