/** How long a call may take, how long its answer is kept, how often it is tried again. */
import { Card } from '../../ui/Card';
import { TextField } from '../../ui/TextField';
import type { ToolEditorState } from './use-tool-editor';

export function LimitsTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, faults } = editor;
  return (
    <Card>
      <div class="grid">
        <TextField
          label="Timeout in seconds"
          type="number"
          min={1}
          max={300}
          value={form.timeout}
          onValue={(timeout) => change({ timeout })}
          error={faults.timeout}
          hint="1 to 300, from connecting to the last byte."
        />
        <TextField
          label="Keep answers for, in seconds"
          type="number"
          min={0}
          max={2_592_000}
          value={form.cacheTtl}
          onValue={(cacheTtl) => change({ cacheTtl })}
          error={faults.cache_ttl}
          hint="0 asks the API every time; at most 30 days."
        />
        <TextField
          label="Retries"
          type="number"
          min={0}
          max={5}
          value={form.retryCount}
          onValue={(retryCount) => change({ retryCount })}
          error={faults.retry_count}
          hint="0 to 5, for calls that may be repeated safely."
        />
      </div>
    </Card>
  );
}
