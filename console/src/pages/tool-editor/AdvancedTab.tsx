/** Rarely needed settings: status, annotations, MCP results and output schema. */

import { Card } from '../../ui/Card';
import { CodeEditor } from '../../ui/CodeEditor';
import { Select } from '../../ui/Select';
import { AnnotationFields } from './AnnotationFields';
import type { ToolEditorState } from './use-tool-editor';

const statuses = [
  { value: 'active', label: 'Active (visible to clients)' },
  { value: 'paused', label: 'Paused (hidden from clients)' },
];

const responseTypes = [
  { value: 'text', label: 'Text' },
  { value: 'mcp', label: 'MCP result' },
];

export function AdvancedTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, errors } = editor;
  return (
    <div class="stack">
      <Card>
        <div class="grid">
          <Select
            label="Status"
            value={form.status}
            options={statuses}
            onValue={(status) => change({ status })}
            error={errors.status}
          />
          <Select
            label="Upstream response format"
            value={form.responseType}
            options={responseTypes}
            onValue={(responseType) => change({ responseType })}
            error={errors.response_type}
          />
        </div>
      </Card>
      <AnnotationFields
        annotations={form.annotations}
        onAnnotations={(annotations) => change({ annotations })}
        error={errors.annotations}
      />
      <Card title="Structured results">
        <CodeEditor
          label="Output schema"
          optional
          minLines={4}
          value={form.outputSchema}
          onValue={(outputSchema) => change({ outputSchema })}
          error={errors.output_schema}
          hint="JSON Schema of the structured result."
        />
        <CodeEditor
          label="Required client capabilities"
          optional
          minLines={3}
          value={form.requiredCapabilities}
          onValue={(requiredCapabilities) => change({ requiredCapabilities })}
          error={errors.required_client_capabilities}
          hint={'For example {"elicitation": {}}. Calls by clients without these capabilities are rejected.'}
        />
      </Card>
    </div>
  );
}
