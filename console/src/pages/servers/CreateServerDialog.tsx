import { useState } from 'preact/hooks';
import { post } from '../../api/client';
import { useMutation } from '../../api/use-mutation';
import { navigate } from '../../app/router';
import { newServerSettings } from '../../logic/server-form';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { TextArea } from '../../ui/TextArea';
import { TextField } from '../../ui/TextField';

const authOptions = [
  { value: 'api-key', label: 'Endpoint key' },
  { value: 'oauth', label: 'Sign-in: people allow their clients in a browser' },
  { value: 'none', label: 'None: anyone with the URL can connect' },
] as const;

type ServerAuthType = (typeof authOptions)[number]['value'];

export function CreateServerDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [authType, setAuthType] = useState<ServerAuthType>('api-key');
  const create = useMutation(
    () =>
      post('/servers', {
        name,
        auth_type: authType,
        settings: { ...newServerSettings, ...(description ? { description } : {}) },
      }),
    ['name', 'settings', 'auth_type'],
  );
  const submit = async () => {
    const created = await create.run();
    if (!created) return;
    onClose();
    void navigate(`/servers/${created.data.id}/tools`);
  };
  return (
    <FormDialog
      title="New server"
      action="Create server"
      dirty={name !== '' || description !== ''}
      request={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        placeholder="Weather"
        autofocus
        value={name}
        onValue={setName}
        error={create.fields.name}
        hint="The endpoint URL is derived from the name. It stays the same when you rename the server."
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
        label="Authentication"
        value={authType}
        options={authOptions}
        onValue={setAuthType}
        error={create.fields.auth_type}
      />
    </FormDialog>
  );
}
