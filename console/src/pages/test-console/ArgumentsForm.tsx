/** The arguments of a test run, as a form or as JSON. */
import { CodeEditor } from '../../ui/CodeEditor';
import { Segmented } from '../../ui/Segmented';
import { GroupFields } from './ArgumentField';
import type { Arguments } from './use-arguments';

const modes = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

export function ArgumentsForm({ args, errors }: { args: Arguments; errors: Record<string, string> }) {
  const { form, mode } = args;
  return (
    <div class="stack">
      <div class="row spread">
        <h2 class="test-title">Arguments</h2>
        {form.kind === 'group' && <Segmented label="Input mode" value={mode} options={modes} onValue={args.setMode} />}
      </div>
      {mode === 'json' || form.kind !== 'group' ? (
        <CodeEditor
          label="Arguments"
          hideLabel
          value={args.text}
          onValue={args.setText}
          error={jsonError(errors)}
          hint={args.note}
          minLines={8}
        />
      ) : form.fields.length === 0 ? (
        <p class="muted small">This tool takes no arguments.</p>
      ) : (
        <GroupFields field={form} value={args.value} onValue={args.setValue} path="arguments" errors={errors} />
      )}
    </div>
  );
}

/** Combines the errors into one text, each with the name of its argument. */
function jsonError(errors: Record<string, string>): string | undefined {
  const messages = Object.entries(errors).map(([path, error]) => {
    const name = path.replace(/^arguments\[?/, '').replace(/\]$/, '');
    return name === '' ? error : `${name}: ${error.charAt(0).toLowerCase()}${error.slice(1)}`;
  });
  return messages.length > 0 ? messages.join('; ') : undefined;
}
