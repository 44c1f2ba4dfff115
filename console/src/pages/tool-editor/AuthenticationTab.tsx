/** How the API knows us. What is stored is never shown, only replaced. */
import { authTypes, credentialFields } from '../../logic/credentials';
import { splitFault } from '../../logic/param-faults';
import { sendsCredentials } from '../../logic/tool-form';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import type { ToolEditorState } from './use-tool-editor';

const places = [
  { value: 'header', label: 'In a header' },
  { value: 'query', label: 'In the query' },
];

export function AuthenticationTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, saved, faults } = editor;
  const typing = sendsCredentials(form, saved);
  const dropped = saved.authType !== 'none' && form.authType !== saved.authType;
  return (
    <Card>
      <Select
        label="The API asks for"
        value={form.authType}
        options={authTypes}
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
  const found = splitFault('auth_credentials', faults.auth_credentials);
  const set = (id: string, value: string) => change({ credentials: { ...credentials, [id]: value } });
  return (
    <>
      {found[''] && <Callout tone="bad">{found['']}</Callout>}
      {credentialFields(form.authType).map(({ id, label, secret, placeholder, optional }) => (
        <TextField
          key={id}
          label={label}
          mono
          type={secret ? 'password' : 'text'}
          autocomplete={secret ? 'new-password' : 'off'}
          placeholder={placeholder}
          optional={optional}
          value={credentials[id] ?? ''}
          onValue={(value) => set(id, value)}
          error={found[id]}
        />
      ))}
      {form.authType === 'api-key' && (
        <Select
          label="Where it goes"
          value={credentials.key_location ?? 'header'}
          options={places}
          onValue={(value) => set('key_location', value)}
          error={found.key_location}
        />
      )}
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
