/** Timeout, response cache and retries of a tool. */
import { Card } from '../../ui/Card';
import { TextField } from '../../ui/TextField';
import type { ToolEditorState } from './use-tool-editor';

export function LimitsTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, errors } = editor;
  return (
    <Card>
      <div class="grid">
        <TextField
          label="Timeout (seconds)"
          type="number"
          min={1}
          max={300}
          value={form.timeout}
          onValue={(timeout) => change({ timeout })}
          error={errors.timeout}
          hint="1 to 300, from connecting to the last byte."
        />
        <TextField
          label="Cache responses for (seconds)"
          type="number"
          min={0}
          max={2_592_000}
          value={form.cacheTtl}
          onValue={(cacheTtl) => change({ cacheTtl })}
          error={errors.cache_ttl}
          hint="0 turns caching off; at most 30 days."
        />
        <TextField
          label="Retries"
          type="number"
          min={0}
          max={5}
          value={form.retryCount}
          onValue={(retryCount) => change({ retryCount })}
          error={errors.retry_count}
          hint="0 to 5. Only requests that are safe to repeat are retried."
        />
      </div>
    </Card>
  );
}
