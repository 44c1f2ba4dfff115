/** Timeout, response cache and retries of a tool. */
import { Card } from '../../ui/Card';
import { PlainFields } from './PlainFields';
import type { ToolEditorState } from './use-tool-editor';

export function LimitsTab({ editor }: { editor: ToolEditorState }) {
  return (
    <Card>
      <div class="grid">
        <PlainFields editor={editor} tab="limits" />
      </div>
    </Card>
  );
}
