/** What an AI client will be told about the tool, word for word. */
import { modelView } from '../../logic/curl-edits';
import { CodeBlock } from '../../ui/CodeBlock';
import type { PlannedTool } from './use-quick-add';

export function ModelPreview({ tool }: { tool: PlannedTool }) {
  const view = modelView(tool.name, tool.description, tool.parts.input_schema);
  return (
    <section class="quick-add-preview" aria-label="What the model sees">
      <h2 class="quick-add-preview-title">
        What the model sees <span class="muted">in tools/list</span>
      </h2>
      <CodeBlock label="The tool in tools/list" wrap text={JSON.stringify(view, null, 2)} />
    </section>
  );
}
