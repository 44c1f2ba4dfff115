import type { ApiField } from '../../logic/openapi-schema';

export interface FieldListProps {
  title: string;
  fields: readonly ApiField[];
  /** Fields of a response, where "required" is not shown. */
  isResponse?: boolean | undefined;
}

export function FieldList({ title, fields, isResponse = false }: FieldListProps) {
  if (fields.length === 0) return null;
  return (
    <section>
      <h3 class="api-title">{title}</h3>
      <Fields fields={fields} isResponse={isResponse} />
    </section>
  );
}

function Fields({ fields, isResponse }: { fields: readonly ApiField[]; isResponse: boolean }) {
  return (
    <ul class="api-fields">
      {fields.map((field) => (
        <li key={field.name} class="api-field">
          <div class="api-field-name">
            <code>{field.name}</code>
            {field.required && !isResponse && <span class="api-required">required</span>}
          </div>
          <div>
            <span class="muted">{field.type}</span>
            {field.description && <p>{field.description}</p>}
            {field.fields.length > 0 && <Fields fields={field.fields} isResponse={isResponse} />}
          </div>
        </li>
      ))}
    </ul>
  );
}
