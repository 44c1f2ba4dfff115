/** What an AI client will be told about the tool, word for word. */
import { modelView } from '../../logic/curl-edits';
import { formatBytes } from '../../logic/format';
import { CodeBlock } from '../../ui/CodeBlock';
import type { PlannedTool } from './use-quick-add';

/** More than this makes a browser slow to lay it out, with every key that is pressed. */
const shownAtMost = 10_000;

export function ModelPreview({ tool }: { tool: PlannedTool }) {
  const text = JSON.stringify(modelView(tool.name, tool.description, tool.parts.input_schema), null, 2);
  const cut = text.length > shownAtMost;
  return (
    <section class="quick-add-preview" aria-label="What the model sees">
      <h2 class="quick-add-preview-title">
        What the model sees <span class="muted">in tools/list</span>
      </h2>
      <CodeBlock label="The tool in tools/list" wrap text={cut ? text.slice(0, shownAtMost) : text} whole={text} />
      {cut && <p class="muted small">The beginning of {formatBytes(text.length)}; Copy takes all of it.</p>}
    </section>
  );
}
