/** Credentials for the upstream API. Stored credentials are never shown, only replaced. */
import { takesAdditionalKeys } from '../../logic/additional-keys';
import { authOptions, fieldsOf, initialValues } from '../../logic/credentials';
import { splitParamError } from '../../logic/param-errors';
import { sendsCredentials } from '../../logic/tool-form';
import { AdditionalKeys } from '../../ui/AdditionalKeys';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { CredentialInput } from '../../ui/CredentialInput';
import { Icon } from '../../ui/Icon';
import { Select } from '../../ui/Select';
import { SharedCredential } from './SharedCredential';
import type { ToolEditorState } from './use-tool-editor';

export function AuthenticationTab({ editor }: { editor: ToolEditorState }) {
  return (
    <Card>
      <SharedCredential editor={editor} />
      {editor.form.credential === '' && <OwnCredentials editor={editor} />}
    </Card>
  );
}

function OwnCredentials({ editor }: { editor: ToolEditorState }) {
  const { form, change, saved, errors } = editor;
  const showsNewFields = sendsCredentials(form, saved);
  const deletesStored = saved.credential === '' && saved.auth_type !== 'none' && form.auth_type !== saved.auth_type;
  return (
    <>
      <Select
        label="Authentication"
        value={form.auth_type}
        options={authOptions}
        onValue={(auth_type) => change({ auth_type, replaceCredentials: false })}
        error={errors.auth_type}
      />
      {deletesStored && <Callout tone="warn">Saving deletes the stored credentials.</Callout>}
      {form.auth_type === 'none' ? (
        <p class="muted small">Requests are sent without credentials.</p>
      ) : showsNewFields ? (
        <NewCredentialFields editor={editor} />
      ) : (
        <div class="stored">
          <Icon name="lock" />
          <div class="grow">
            <code>********</code>
            <p class="muted small">
              The credentials are stored encrypted and never shown.
              {form.auth_type === 'api-key'
                ? ' There can be several keys; Replace stores one key instead of all of them.'
                : ' Replace also deletes API keys that are sent with them.'}
            </p>
          </div>
          <Button size="small" onClick={() => change({ replaceCredentials: true })}>
            Replace
          </Button>
        </div>
      )}
    </>
  );
}

function NewCredentialFields({ editor }: { editor: ToolEditorState }) {
  const { form, change, errors } = editor;
  const { credentials } = form;
  const initial = initialValues(form.auth_type);
  const credentialErrors = splitParamError('auth_credentials', errors.auth_credentials);
  const set = (id: string, value: string) => change({ credentials: { ...credentials, [id]: value } });
  return (
    <>
      {credentialErrors[''] && <Callout tone="bad">{credentialErrors['']}</Callout>}
      {fieldsOf(form.auth_type).map((field) => (
        <CredentialInput
          key={field.name}
          field={field}
          value={credentials[field.name] ?? initial[field.name] ?? ''}
          onValue={(value) => set(field.name, value)}
          error={credentialErrors[field.name]}
        />
      ))}
      {takesAdditionalKeys(form.auth_type) && <AdditionalKeys values={credentials} onValue={set} />}
      {form.replaceCredentials && (
        <div>
          <Button size="small" onClick={() => change({ replaceCredentials: false, credentials: {} })}>
            Keep stored credentials
          </Button>
        </div>
      )}
    </>
  );
}
