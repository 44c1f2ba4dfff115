/** The arguments of the template, with their descriptions. */
import { useState } from 'preact/hooks';
import type { Argument } from '../../../logic/template';
import { Icon } from '../../../ui/Icon';
import { Checkbox } from '../../../ui/Switch';

export interface ArgumentRowsProps {
  rows: readonly Argument[];
  onRows: (rows: Argument[]) => void;
  error?: string | undefined;
}

export function ArgumentRows({ rows, onRows, error }: ArgumentRowsProps) {
  const change = (index: number, part: Partial<Argument>) =>
    onRows(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <fieldset class="prompts-arguments">
      <legend class="field-label">Arguments</legend>
      {error && (
        <p class="field-error">
          <Icon name="warning" />
          <span>{error}</span>
        </p>
      )}
      {rows.length === 0 && <p class="field-hint">No arguments yet. Add placeholders to the template.</p>}
      {rows.map((row, index) => (
        <div key={row.name} class="prompts-argument">
          <code class="prompts-argument-name truncate" title={row.name}>
            {row.name}
          </code>
          <input
            class="control"
            aria-label={`Description of ${row.name}`}
            placeholder="Description"
            autocomplete="off"
            value={row.description}
            onInput={(event) => change(index, { description: event.currentTarget.value })}
          />
          <ValuesInput name={row.name} values={row.values} onValues={(values) => change(index, { values })} />
          <Checkbox label="Required" checked={row.required} onValue={(required) => change(index, { required })} />
        </div>
      ))}
    </fieldset>
  );
}

interface ValuesInputProps {
  name: string;
  values: readonly string[];
  onValues: (values: string[]) => void;
}

/** Holds the text as typed, so that a trailing comma does not disappear. */
function ValuesInput({ name, values, onValues }: ValuesInputProps) {
  const [text, setText] = useState(values.join(', '));
  return (
    <input
      class="control"
      aria-label={`Suggested values for ${name}, separated by commas`}
      placeholder="Suggested values: Oslo, Bergen"
      autocomplete="off"
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value);
        onValues(
          event.currentTarget.value
            .split(',')
            .map((value) => value.trim())
            .filter(Boolean),
        );
      }}
    />
  );
}
