/** Creates an endpoint key and shows it once. */
import { useState } from 'preact/hooks';
import { post } from '../../../api/client';
import { useMutation } from '../../../api/use-mutation';
import { FormDialog } from '../../../ui/FormDialog';
import { SecretDialog } from '../../../ui/SecretDialog';
import { TextField } from '../../../ui/TextField';

export interface CreateEndpointKeyDialogProps {
  serverId: number;
  onCreated: () => void;
  onClose: () => void;
}

export function CreateEndpointKeyDialog({ serverId, onCreated, onClose }: CreateEndpointKeyDialogProps) {
  const [name, setName] = useState('');
  const [key, setKey] = useState<string>();
  const create = useMutation(async () => {
    const { data } = await post('/servers/{id}/keys', { name }, { path: { id: serverId } });
    setKey(data.key);
    onCreated();
  }, ['name']);
  if (key !== undefined) return <SecretDialog title="Your new key" label={name} value={key} onClose={onClose} />;
  return (
    <FormDialog
      title="New endpoint key"
      action="Create key"
      dirty={name !== ''}
      request={create}
      onSubmit={create.run}
      onClose={onClose}
    >
      <TextField
        label="Name"
        placeholder="Cursor on my laptop"
        hint="Say which client uses the key."
        autofocus
        value={name}
        onValue={setName}
        error={create.fields.name}
      />
    </FormDialog>
  );
}
