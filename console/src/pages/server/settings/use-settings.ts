/** State of the settings form: values, errors and saving. */
import { patch } from '../../../api/client';
import type { Server } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { useDraft } from '../../../app/drafts';
import { useUnsavedGuard } from '../../../app/unsaved';
import { type CredentialForm, credentialBody, initialCredentialForm, isAuthType } from '../../../logic/credentials';
import { nestedErrors, otherErrors } from '../../../logic/nested-errors';
import {
  builtInKeys,
  customSettingsError,
  type ServerForm,
  toServerBody,
  toServerForm,
} from '../../../logic/server-form';
import { toast } from '../../../ui/Toast';

export interface SettingsValues extends ServerForm {
  credential: CredentialForm;
}

export function useSettings(server: Server, onServer: (server: Server) => void) {
  const stored = storedAuthType(server);
  const saved: SettingsValues = { ...toServerForm(server), credential: initialCredentialForm(stored) };
  const draft = useDraft(`server/${server.id}/settings`, saved);
  useUnsavedGuard(draft.dirty, 'This server');
  const { credential } = draft.value;
  const settingsError = customSettingsError(draft.value.customSettings);

  const save = useMutation(async () => {
    const body = toServerBody(draft.value, server);
    if (JSON.stringify(credential) !== JSON.stringify(saved.credential)) {
      const test_credentials = credential.authType === 'none' ? null : credentialBody(credential);
      body.settings = { ...body.settings, test_credentials };
    }
    const { data } = await patch('/servers/{id}', body, { path: { id: server.id } });
    draft.reset();
    onServer(data);
    toast('Settings saved.');
  }, ['name', 'slug', 'rate_limit_per_min', 'settings']);

  const errors: Record<string, string | undefined> = {
    ...save.fields,
    ...nestedErrors('settings', save.fields.settings),
    customSettings: settingsError,
  };
  return {
    values: draft.value,
    set: (part: Partial<SettingsValues>) => draft.set({ ...draft.value, ...part }),
    dirty: draft.dirty,
    discard: draft.reset,
    stored,
    busy: save.busy,
    save: () => (settingsError === undefined ? void save.run() : undefined),
    errors,
    general: save.general ?? otherErrors('settings', save.fields.settings, builtInKeys),
  };
}

function storedAuthType({ settings }: Server) {
  const credentials = settings?.test_credentials;
  const type =
    typeof credentials === 'object' && credentials !== null && 'auth_type' in credentials && credentials.auth_type;
  return isAuthType(type) ? type : 'none';
}
