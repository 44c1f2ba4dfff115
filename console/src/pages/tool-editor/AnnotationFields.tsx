/** What clients are told about a tool's nature. Annotations that have no field here are kept. */
import type { JsonObject } from '../../logic/json';
import { withKey } from '../../logic/ordered';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';

const hints = [
  { id: 'readOnlyHint', label: 'Only reads' },
  { id: 'destructiveHint', label: 'May destroy something' },
  { id: 'idempotentHint', label: 'May be repeated without harm' },
  { id: 'openWorldHint', label: 'Reaches into the outside world' },
] as const;

const answers = [
  { value: '', label: 'Not said' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

export interface AnnotationFieldsProps {
  annotations: JsonObject;
  onAnnotations: (annotations: JsonObject) => void;
  error: string | undefined;
}

export function AnnotationFields({ annotations, onAnnotations, error }: AnnotationFieldsProps) {
  const known = ['title', ...hints.map(({ id }) => id)];
  const others = Object.keys(annotations).filter((name) => !known.includes(name));
  const { title } = annotations;
  return (
    <Card title="Annotations" description="Clients use them to decide when to ask their user first.">
      {error && <Callout tone="bad">{error}</Callout>}
      <TextField
        label="Title"
        optional
        value={typeof title === 'string' ? title : ''}
        onValue={(text) => onAnnotations(withKey(annotations, 'title', text === '' ? undefined : text))}
        hint="A name for people."
      />
      <div class="annotation-hints">
        {hints.map(({ id, label }) => (
          <Select
            key={id}
            label={label}
            value={typeof annotations[id] === 'boolean' ? String(annotations[id]) : ''}
            options={answers}
            onValue={(answer) => onAnnotations(withKey(annotations, id, answer === '' ? undefined : answer === 'true'))}
          />
        ))}
      </div>
      {others.length > 0 && <p class="muted small">Kept as they are: {others.join(', ')}.</p>}
    </Card>
  );
}
