/** Fields that all resources have. */
import { type ResourceForm, uriVariables } from '../../../logic/resource-form';
import { TextField } from '../../../ui/TextField';

export interface ResourceFieldsProps {
  form: ResourceForm;
  set: (part: Partial<ResourceForm>) => void;
  errors: Record<string, string>;
  isNew: boolean;
}

export function ResourceFields({ form, set, errors, isNew }: ResourceFieldsProps) {
  const variables = uriVariables(form.template_uri);
  return (
    <>
      <div class="grid">
        <TextField
          label="Name"
          autofocus={isNew}
          value={form.name}
          onValue={(name) => set({ name })}
          error={errors.name}
        />
        <TextField
          label="MIME type"
          mono
          placeholder="text/plain"
          value={form.mime_type}
          onValue={(mime_type) => set({ mime_type })}
          error={errors.mime_type}
        />
      </div>
      <TextField
        label="Description"
        optional
        value={form.description}
        onValue={(description) => set({ description })}
        error={errors.description}
      />
      <div class="grid">
        <TextField
          label="URI"
          mono
          placeholder="docs://guide"
          value={form.uri}
          onValue={(uri) => set({ uri })}
          error={errors.uri}
          hint="Clients read the resource by this URI."
        />
        <TextField
          label="URI template"
          optional
          mono
          placeholder="docs://guide/{page}"
          value={form.template_uri}
          onValue={(template_uri) => set({ template_uri })}
          error={errors.template_uri}
          hint={variables.length === 0 ? 'For parameterised URIs (RFC 6570).' : `Variables: ${variables.join(', ')}.`}
        />
      </div>
    </>
  );
}
