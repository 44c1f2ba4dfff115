/** Registers an OAuth client, then shows its ID and, only once, its secret. */
import { useState } from 'preact/hooks';
import { post } from '../../api/client';
import type { CreatedOAuthClient } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import {
  authMethods,
  newOAuthClient,
  type OAuthClientForm,
  oauthClientBody,
  redirectError,
} from '../../logic/oauth-client-form';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { TextArea } from '../../ui/TextArea';
import { TextField } from '../../ui/TextField';
import { CreatedClientDialog } from './CreatedClientDialog';

export function CreateClientDialog({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const [created, setCreated] = useState<CreatedOAuthClient>();
  const [form, setForm] = useState<OAuthClientForm>(newOAuthClient);
  const set = (part: Partial<OAuthClientForm>) => setForm({ ...form, ...part });
  const create = useMutation(async () => {
    const { data } = await post('/oauth/clients', oauthClientBody(form), {});
    setCreated(data);
    onCreated();
  }, ['name', 'redirect_uris', 'token_endpoint_auth_method']);
  if (created) return <CreatedClientDialog client={created} onClose={onClose} />;
  return (
    <FormDialog
      title="Register a client"
      action="Register client"
      dirty={form !== newOAuthClient}
      request={create}
      onSubmit={create.run}
      onClose={onClose}
    >
      <TextField
        label="Name"
        placeholder="n8n"
        hint="People see it when the client asks for access."
        autofocus
        value={form.name}
        onValue={(name) => set({ name })}
        error={create.fields.name}
      />
      <TextArea
        label="Redirect URIs"
        mono
        rows={3}
        placeholder="https://n8n.example.com/rest/oauth2-credential/callback"
        hint="Where people return after they allow access. One per line: https, http on loopback, or a custom URL scheme."
        value={form.redirectUris}
        onValue={(redirectUris) => set({ redirectUris })}
        error={redirectError(create.fields.redirect_uris)}
      />
      <Select
        label="Client authentication"
        value={form.method}
        options={authMethods}
        onValue={(method) => set({ method })}
        error={create.fields.token_endpoint_auth_method}
      />
    </FormDialog>
  );
}
