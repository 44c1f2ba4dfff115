/** The tool's entry in tools/list, as the model sees it. */
import { formatCount } from '../../logic/format';
import { isObject, parseJson } from '../../logic/json';
import type { ToolForm } from '../../logic/tool-form';
import { JsonView } from '../../ui/JsonView';

export function ToolModelPreview({ form }: { form: ToolForm }) {
  const entry = listEntry(form);
  const length = JSON.stringify(entry).length;
  return (
    <aside class="model-preview" aria-label="What the model sees">
      <div class="row spread">
        <h2 class="card-title">What the model sees</h2>
        <span class="muted small">{formatCount(length)} characters</span>
      </div>
      <JsonView label="What the model sees" value={entry} openLevels={6} />
      {form.description.trim() === '' && (
        <p class="muted small">Add a description, so that the model knows when to use the tool.</p>
      )}
      {form.status === 'paused' && <p class="muted small">Clients do not see the tool while it is paused.</p>}
    </aside>
  );
}

function listEntry(form: ToolForm): object {
  const output = parseJson(form.output_schema)?.json;
  return {
    name: form.name,
    description: form.description,
    inputSchema: form.input_schema,
    ...(isObject(output) ? { outputSchema: output } : {}),
    ...(Object.keys(form.annotations).length > 0 ? { annotations: form.annotations } : {}),
  };
}
