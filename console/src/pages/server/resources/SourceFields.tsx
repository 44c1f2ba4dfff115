/** Form fields of the selected source. */
import type { AuthType } from '../../../logic/credentials';
import { methodOptions } from '../../../logic/http-methods';
import type { ResourceForm } from '../../../logic/resource-form';
import { CodeEditor } from '../../../ui/CodeEditor';
import { KeyValueEditor } from '../../../ui/KeyValueEditor';
import { Select } from '../../../ui/Select';
import { TextArea } from '../../../ui/TextArea';
import { TextField } from '../../../ui/TextField';
import { CredentialFields } from '../CredentialFields';
import { ToolField } from './ToolField';

export interface SourceFieldsProps {
  serverId: number;
  form: ResourceForm;
  set: (part: Partial<ResourceForm>) => void;
  /** Type of the stored credential. */
  stored: AuthType;
  /** By configuration key. */
  errors: Record<string, string>;
}

export function SourceFields(props: SourceFieldsProps) {
  switch (props.form.source) {
    case 'static':
      return <StaticFields {...props} />;
    case 'url':
      return <UrlFields {...props} />;
    case 'wp_query':
      return <WordPressFields {...props} />;
    case 'dynamic':
      return <ToolFields {...props} />;
  }
}

function StaticFields({ form, set, errors }: SourceFieldsProps) {
  return (
    <TextArea
      label="Content"
      mono
      rows={10}
      hint="Use variables of the URI template in double braces."
      value={form.content}
      onValue={(content) => set({ content })}
      error={errors.content}
    />
  );
}

function UrlFields(props: SourceFieldsProps) {
  const { form, set, errors } = props;
  return (
    <>
      <div class="resources-url">
        <Select
          label="Method"
          value={form.method}
          options={methodOptions}
          onValue={(method) => set({ method })}
          error={errors.method}
        />
        <TextField
          label="URL"
          mono
          placeholder="https://api.example.com/guide/{page}"
          value={form.url}
          onValue={(url) => set({ url })}
          error={errors.url}
        />
      </div>
      <RequestFields {...props} />
      <div class="grid">
        <TextField
          label="Timeout (seconds)"
          type="number"
          hint="1 to 300."
          value={form.timeout}
          onValue={(timeout) => set({ timeout })}
          error={errors.timeout}
        />
        <TextField
          label="Cache responses for (seconds)"
          type="number"
          hint="0 turns caching off."
          value={form.cache_ttl}
          onValue={(cache_ttl) => set({ cache_ttl })}
          error={errors.cache_ttl}
        />
      </div>
    </>
  );
}

function WordPressFields(props: SourceFieldsProps) {
  const { form, set, errors } = props;
  return (
    <>
      <TextField
        label="Site URL"
        mono
        placeholder="https://blog.example.com"
        value={form.site_url}
        onValue={(site_url) => set({ site_url })}
        error={errors.site_url}
      />
      <CodeEditor
        label="Query"
        minLines={4}
        hint="Parameters of the WordPress REST API: post_type, per_page, search, categories … The WP_Query names posts_per_page, s and cat work too."
        value={form.query}
        onValue={(query) => set({ query })}
        error={errors.query}
      />
      <TextField
        label="Fields"
        optional
        mono
        placeholder="id, title, excerpt"
        hint="Include only these fields, separated by commas."
        value={form.fields}
        onValue={(fields) => set({ fields })}
        error={errors.fields}
      />
      <RequestFields {...props} />
    </>
  );
}

function RequestFields({ form, set, stored, errors }: SourceFieldsProps) {
  return (
    <>
      <KeyValueEditor label="Headers" pairs={form.headers} onPairs={(headers) => set({ headers })} />
      {errors.headers && <p class="field-error">{errors.headers}</p>}
      <CredentialFields
        label="Authentication"
        stored={stored}
        value={form.credential}
        onValue={(credential) => set({ credential })}
        error={errors.auth_credentials ?? errors.auth_type}
      />
    </>
  );
}

function ToolFields({ serverId, form, set, errors }: SourceFieldsProps) {
  return (
    <>
      <ToolField serverId={serverId} value={form.tool} onValue={(tool) => set({ tool })} error={errors.tool} />
      <CodeEditor
        label="Arguments"
        minLines={4}
        hint="Variables of the URI template are added to these arguments."
        value={form.arguments}
        onValue={(text) => set({ arguments: text })}
        error={errors.arguments}
      />
    </>
  );
}
