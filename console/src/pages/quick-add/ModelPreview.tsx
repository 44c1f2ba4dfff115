/** What an AI client will be told about the tool, word for word. */
import { modelView } from '../../logic/curl-edits';
import { CodeBlock } from '../../ui/CodeBlock';
import type { PlannedTool } from './use-quick-add';

export function ModelPreview({ tool }: { tool: PlannedTool }) {
  const view = modelView(tool.name, tool.description, tool.parts.input_schema);
  return <CodeBlock label="What the model sees" wrap text={JSON.stringify(view, null, 2)} />;
}
