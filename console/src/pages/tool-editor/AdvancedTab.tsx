/** Rarely needed settings: status, annotations, MCP results and output schema. */
import { Card } from '../../ui/Card';
import { AnnotationFields } from './AnnotationFields';
import { PlainFields } from './PlainFields';
import type { ToolEditorState } from './use-tool-editor';

export function AdvancedTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, errors } = editor;
  return (
    <div class="stack">
      <Card>
        <div class="grid">
          <PlainFields editor={editor} tab="advanced" />
        </div>
      </Card>
      <AnnotationFields
        annotations={form.annotations}
        onAnnotations={(annotations) => change({ annotations })}
        error={errors.annotations}
      />
      <Card title="Structured results">
        <PlainFields editor={editor} tab="advanced" json />
      </Card>
    </div>
  );
}
