/** Changes the name, the expiry or the rate limit of an endpoint key. */
import { useState } from 'preact/hooks';
import { patch } from '../../../api/client';
import type { EndpointKey } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { endpointKeyFields, keyBody, keyForm } from '../../../logic/endpoint-key-form';
import { FormDialog } from '../../../ui/FormDialog';
import { toast } from '../../../ui/Toast';
import { EndpointKeyFields } from './EndpointKeyFields';

export interface EditEndpointKeyDialogProps {
  apiKey: EndpointKey;
  onChanged: () => void;
  onClose: () => void;
}

export function EditEndpointKeyDialog({ apiKey, onChanged, onClose }: EditEndpointKeyDialogProps) {
  const [initial] = useState(() => keyForm(apiKey, new Date()));
  const [form, setForm] = useState(initial);
  const save = useMutation(async () => {
    const path = { id: apiKey.server_id, key_id: apiKey.id };
    const { data } = await patch('/servers/{id}/keys/{key_id}', keyBody(form, new Date()), { path });
    toast(`Saved ${data.name}.`);
    onChanged();
    onClose();
  }, endpointKeyFields);
  return (
    <FormDialog
      title="Edit endpoint key"
      action="Save key"
      dirty={form !== initial}
      request={save}
      onSubmit={save.run}
      onClose={onClose}
    >
      <EndpointKeyFields form={form} expiresAt={apiKey.expires_at} onForm={setForm} errors={save.fields} />
    </FormDialog>
  );
}
