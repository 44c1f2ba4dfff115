/** Creates or changes a credential of a server. */
import { useState } from 'preact/hooks';
import { patch, post } from '../../../api/client';
import type { ServerCredential } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import type { AuthType } from '../../../logic/credentials';
import {
  newServerCredential,
  type ServerCredentialForm,
  serverCredentialBody,
  serverCredentialFields,
  sharedAuthOptions,
  toServerCredentialForm,
} from '../../../logic/server-credential-form';
import { Callout } from '../../../ui/Callout';
import { FormDialog } from '../../../ui/FormDialog';
import { TextField } from '../../../ui/TextField';
import { toast } from '../../../ui/Toast';
import { CredentialFields } from '../CredentialFields';

export interface CredentialDialogProps {
  serverId: number;
  /** Undefined for a new credential. */
  saved: ServerCredential | undefined;
  onSaved: () => void;
  onClose: () => void;
}

/** The limit of the API. */
const nameLengthMax = 64;

export function CredentialDialog({ serverId, saved, onSaved, onClose }: CredentialDialogProps) {
  const [initial] = useState<ServerCredentialForm>(() => (saved ? toServerCredentialForm(saved) : newServerCredential));
  const [form, setForm] = useState(initial);
  const stored: AuthType = saved?.has_credentials ? initial.credential.authType : 'none';
  const deletesStored = stored !== 'none' && form.credential.authType !== stored;
  const save = useMutation(async () => {
    const body = serverCredentialBody(form);
    const path = { server_id: serverId };
    const { data } = saved
      ? await patch('/servers/{server_id}/credentials/{id}', body, { path: { ...path, id: saved.id } })
      : await post('/servers/{server_id}/credentials', body, { path });
    toast(saved ? `Saved ${data.name}.` : `Created ${data.name}.`);
    onSaved();
    onClose();
  }, serverCredentialFields);
  return (
    <FormDialog
      title={saved ? 'Edit credential' : 'New credential'}
      action={saved ? 'Save credential' : 'Create credential'}
      dirty={form !== initial}
      request={save}
      onSubmit={save.run}
      onClose={onClose}
    >
      <TextField
        label="Name"
        mono
        autofocus
        maxLength={nameLengthMax}
        placeholder="billing-api"
        hint="Tools refer to the credential by this name. You can change it later."
        value={form.name}
        onValue={(name) => setForm({ ...form, name })}
        error={save.fields.name}
      />
      <CredentialFields
        label="Authentication"
        options={sharedAuthOptions}
        stored={stored}
        hint={saved?.has_credentials ? undefined : 'You can leave the values empty and add them later.'}
        value={form.credential}
        onValue={(credential) => setForm({ ...form, credential })}
        error={save.fields.auth_type ?? save.fields.auth_credentials}
      />
      {deletesStored && <Callout tone="warn">Saving deletes the stored values.</Callout>}
      {saved !== undefined && saved.tools_count > 0 && (
        <p class="muted small">A change applies to the next call of every tool that uses this credential.</p>
      )}
    </FormDialog>
  );
}
