/** The tool's entry in tools/list, as AI clients receive it. */
import { toolListEntry } from '../../logic/curl-edits';
import { formatBytes, utf8Bytes } from '../../logic/format';
import { CodeBlock } from '../../ui/CodeBlock';
import type { PlannedTool } from './use-quick-add';

/** Longer text would slow down the layout on every keystroke. */
const shownLengthMax = 10_000;

export function ModelPreview({ tool }: { tool: PlannedTool }) {
  const text = JSON.stringify(toolListEntry(tool.name, tool.description, tool.parts.input_schema), null, 2);
  const truncated = text.length > shownLengthMax;
  return (
    <section class="quick-add-preview" aria-label="What the model sees">
      <h2 class="quick-add-preview-title">
        What the model sees <span class="muted">in tools/list</span>
      </h2>
      <CodeBlock
        label="The tool in tools/list"
        wrap
        text={truncated ? text.slice(0, shownLengthMax) : text}
        fullText={text}
      />
      {truncated && (
        <p class="muted small">Truncated: {formatBytes(utf8Bytes(text))} in total. Copy includes everything.</p>
      )}
    </section>
  );
}
