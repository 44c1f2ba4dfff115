import { useState } from 'preact/hooks';
import { post } from '../../api/client';
import { useMutation } from '../../api/use-mutation';
import { navigate } from '../../app/router';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Dialog } from '../../ui/Dialog';
import { Select } from '../../ui/Select';
import { TextArea } from '../../ui/TextArea';
import { TextField } from '../../ui/TextField';

const authOptions = [
  { value: 'api-key', label: 'A key' },
  { value: 'none', label: 'Nothing: anybody who knows the address' },
] as const;

type AuthType = (typeof authOptions)[number]['value'];

export function CreateServerDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [authType, setAuthType] = useState<AuthType>('api-key');
  const create = useMutation(
    () => post('/servers', { name, auth_type: authType, ...(description ? { settings: { description } } : {}) }),
    ['name', 'settings', 'auth_type'],
  );
  const submit = async (event: Event) => {
    event.preventDefault();
    const created = await create.run();
    if (!created) return;
    onClose();
    void navigate(`/servers/${created.data.id}/tools`);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="New server"
      dirty={name !== '' || description !== ''}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="create-server" busy={create.busy}>
            Create server
          </Button>
        </>
      }
    >
      <form id="create-server" class="stack" onSubmit={submit}>
        {create.general && <Callout tone="bad">{create.general}</Callout>}
        <TextField
          label="Name"
          placeholder="Weather"
          autofocus
          value={name}
          onValue={setName}
          error={create.fields.name}
          hint="Its address is made from the name, and stays when you rename it."
        />
        <TextArea
          label="Description"
          optional
          rows={2}
          value={description}
          onValue={setDescription}
          error={create.fields.settings}
        />
        <Select
          label="What clients must present"
          value={authType}
          options={authOptions}
          onValue={setAuthType}
          error={create.fields.auth_type}
        />
      </form>
    </Dialog>
  );
}
