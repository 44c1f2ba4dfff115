/** What most tools never need: status, hints for clients, and upstreams that speak MCP themselves. */

import { Card } from '../../ui/Card';
import { CodeEditor } from '../../ui/CodeEditor';
import { Select } from '../../ui/Select';
import { AnnotationFields } from './AnnotationFields';
import type { ToolEditorState } from './use-tool-editor';

const statuses = [
  { value: 'active', label: 'Active: clients see it' },
  { value: 'paused', label: 'Paused: clients do not see it' },
];

const responseTypes = [
  { value: 'text', label: 'Its answer, as text' },
  { value: 'mcp', label: 'A whole MCP result' },
];

export function AdvancedTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, faults } = editor;
  return (
    <div class="stack">
      <Card>
        <div class="grid">
          <Select
            label="Status"
            value={form.status}
            options={statuses}
            onValue={(status) => change({ status })}
            error={faults.status}
          />
          <Select
            label="The API answers with"
            value={form.responseType}
            options={responseTypes}
            onValue={(responseType) => change({ responseType })}
            error={faults.response_type}
          />
        </div>
      </Card>
      <AnnotationFields
        annotations={form.annotations}
        onAnnotations={(annotations) => change({ annotations })}
        error={faults.annotations}
      />
      <Card title="For structured results">
        <CodeEditor
          label="Output schema"
          optional
          minLines={4}
          value={form.outputSchema}
          onValue={(outputSchema) => change({ outputSchema })}
          error={faults.output_schema}
          hint="JSON Schema of the structured result that clients may rely on."
        />
        <CodeEditor
          label="Capabilities that a client must have declared"
          optional
          minLines={3}
          value={form.requiredCapabilities}
          onValue={(requiredCapabilities) => change({ requiredCapabilities })}
          error={faults.required_client_capabilities}
          hint={'For example {"elicitation": {}}. Other clients are refused.'}
        />
      </Card>
    </div>
  );
}
