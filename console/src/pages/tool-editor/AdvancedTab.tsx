/** Rarely needed settings: status, tags, pinning, annotations and required capabilities. */
import { splitParamError } from '../../logic/param-errors';
import { Card } from '../../ui/Card';
import { TextArea } from '../../ui/TextArea';
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
        <TextArea
          label="Tags"
          optional
          rows={2}
          value={form.tags}
          onValue={(tags) => change({ tags })}
          error={tagsError(errors.tags)}
          hint="One per line, at most 20 with 64 characters each. They filter the list of tools; models do not see them."
        />
      </Card>
      <AnnotationFields
        annotations={form.annotations}
        onAnnotations={(annotations) => change({ annotations })}
        error={errors.annotations}
      />
      <Card title="Clients">
        <PlainFields editor={editor} tab="advanced" json />
      </Card>
    </div>
  );
}

/** `tags[0] must …` becomes `Line 1: Must …`. */
function tagsError(error: string | undefined): string | undefined {
  const lines = Object.entries(splitParamError('tags', error));
  return error && lines.map(([index, text]) => (index === '' ? text : `Line ${Number(index) + 1}: ${text}`)).join(' ');
}
