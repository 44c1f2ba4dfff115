/** Creates an endpoint key and shows it once. */
import { useState } from 'preact/hooks';
import { post } from '../../../api/client';
import { useMutation } from '../../../api/use-mutation';
import { endpointKeyFields, keyBody, newKeyForm } from '../../../logic/endpoint-key-form';
import { FormDialog } from '../../../ui/FormDialog';
import { SecretDialog } from '../../../ui/SecretDialog';
import { EndpointKeyFields } from './EndpointKeyFields';

export interface CreateEndpointKeyDialogProps {
  serverId: number;
  onCreated: () => void;
  onClose: () => void;
}

export function CreateEndpointKeyDialog({ serverId, onCreated, onClose }: CreateEndpointKeyDialogProps) {
  const [form, setForm] = useState(newKeyForm(new Date()));
  const [key, setKey] = useState<string>();
  const create = useMutation(async () => {
    const { data } = await post('/servers/{id}/keys', keyBody(form, new Date()), { path: { id: serverId } });
    setKey(data.key);
    onCreated();
  }, endpointKeyFields);
  if (key !== undefined) return <SecretDialog title="Your new key" label={form.name} value={key} onClose={onClose} />;
  return (
    <FormDialog
      title="New endpoint key"
      action="Create key"
      dirty={form.name !== ''}
      request={create}
      onSubmit={create.run}
      onClose={onClose}
    >
      <EndpointKeyFields form={form} expiresAt={null} onForm={setForm} errors={create.fields} />
    </FormDialog>
  );
}
