/** MCP annotations of a tool. Annotations without a field are preserved. */
import type { JsonObject } from '../../logic/json';
import { withKey } from '../../logic/ordered-object';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';

const hints = [
  { id: 'readOnlyHint', label: 'Read-only' },
  { id: 'destructiveHint', label: 'Destructive' },
  { id: 'idempotentHint', label: 'Idempotent' },
  { id: 'openWorldHint', label: 'Open world (external systems)' },
] as const;

const hintOptions = [
  { value: '', label: 'Not set' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

export interface AnnotationFieldsProps {
  annotations: JsonObject;
  onAnnotations: (annotations: JsonObject) => void;
  error: string | undefined;
}

export function AnnotationFields({ annotations, onAnnotations, error }: AnnotationFieldsProps) {
  const shown = ['title', ...hints.map(({ id }) => id)];
  const others = Object.keys(annotations).filter((name) => !shown.includes(name));
  const { title } = annotations;
  return (
    <Card title="Annotations" description="Clients use these hints to decide when to ask the user for confirmation.">
      {error && <Callout tone="bad">{error}</Callout>}
      <TextField
        label="Title"
        optional
        value={typeof title === 'string' ? title : ''}
        onValue={(text) => onAnnotations(withKey(annotations, 'title', text === '' ? undefined : text))}
        hint="The name that clients display."
      />
      <div class="annotation-hints">
        {hints.map(({ id, label }) => (
          <Select
            key={id}
            label={label}
            value={typeof annotations[id] === 'boolean' ? String(annotations[id]) : ''}
            options={hintOptions}
            onValue={(value) => onAnnotations(withKey(annotations, id, value === '' ? undefined : value === 'true'))}
          />
        ))}
      </div>
      {others.length > 0 && <p class="muted small">Other annotations, which stay unchanged: {others.join(', ')}.</p>}
    </Card>
  );
}
