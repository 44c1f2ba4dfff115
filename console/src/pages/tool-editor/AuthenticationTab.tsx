/** How the API knows us. What is stored is never shown, only replaced. */
import { authOptions, emptyValues, fieldsOf } from '../../logic/credentials';
import { splitFault } from '../../logic/param-faults';
import { sendsCredentials } from '../../logic/tool-form';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { CredentialInput } from '../../ui/CredentialInput';
import { Icon } from '../../ui/Icon';
import { Select } from '../../ui/Select';
import type { ToolEditorState } from './use-tool-editor';

export function AuthenticationTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, saved, faults } = editor;
  const typing = sendsCredentials(form, saved);
  const dropped = saved.authType !== 'none' && form.authType !== saved.authType;
  return (
    <Card>
      <Select
        label="The API asks for"
        value={form.authType}
        options={authOptions}
        onValue={(authType) => change({ authType, replaceCredentials: false })}
        error={faults.auth_type}
      />
      {dropped && <Callout tone="warn">Saving drops the credentials that are stored now.</Callout>}
      {form.authType === 'none' ? (
        <p class="muted small">Calls go out without credentials.</p>
      ) : typing ? (
        <CredentialFields editor={editor} />
      ) : (
        <div class="stored">
          <Icon name="lock" />
          <div class="grow">
            <code>********</code>
            <p class="muted small">What is stored is encrypted, and shown to nobody.</p>
          </div>
          <Button size="small" onClick={() => change({ replaceCredentials: true })}>
            Replace
          </Button>
        </div>
      )}
    </Card>
  );
}

function CredentialFields({ editor }: { editor: ToolEditorState }) {
  const { form, change, faults } = editor;
  const { credentials } = form;
  const empty = emptyValues(form.authType);
  const found = splitFault('auth_credentials', faults.auth_credentials);
  const set = (id: string, value: string) => change({ credentials: { ...credentials, [id]: value } });
  return (
    <>
      {found[''] && <Callout tone="bad">{found['']}</Callout>}
      {fieldsOf(form.authType).map((field) => (
        <CredentialInput
          key={field.name}
          field={field}
          value={credentials[field.name] ?? empty[field.name] ?? ''}
          onValue={(value) => set(field.name, value)}
          error={found[field.name]}
        />
      ))}
      {form.replaceCredentials && (
        <div>
          <Button size="small" onClick={() => change({ replaceCredentials: false, credentials: {} })}>
            Keep what is stored
          </Button>
        </div>
      )}
    </>
  );
}
