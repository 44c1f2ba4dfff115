import type { ApiField } from '../../logic/openapi-schema';

export interface FieldListProps {
  title: string;
  fields: readonly ApiField[];
  /** The service gives them: then it goes without saying that they are there. */
  given?: boolean | undefined;
}

export function FieldList({ title, fields, given = false }: FieldListProps) {
  if (fields.length === 0) return null;
  return (
    <section>
      <h3 class="api-title">{title}</h3>
      <Fields fields={fields} given={given} />
    </section>
  );
}

function Fields({ fields, given }: { fields: readonly ApiField[]; given: boolean }) {
  return (
    <ul class="api-fields">
      {fields.map((field) => (
        <li key={field.name} class="api-field">
          <div class="api-field-name">
            <code>{field.name}</code>
            {field.required && !given && <span class="api-required">required</span>}
          </div>
          <div>
            <span class="muted">{field.type}</span>
            {field.description && <p>{field.description}</p>}
            {field.fields.length > 0 && <Fields fields={field.fields} given={given} />}
          </div>
        </li>
      ))}
    </ul>
  );
}
