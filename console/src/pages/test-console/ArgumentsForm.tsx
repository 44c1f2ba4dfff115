/** What a call is made with: a form of the schema, or JSON. */
import { CodeEditor } from '../../ui/CodeEditor';
import { Segmented } from '../../ui/Segmented';
import { GroupFields } from './ArgumentField';
import type { Arguments } from './use-arguments';

const modes = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

export function ArgumentsForm({ args, faults }: { args: Arguments; faults: Record<string, string> }) {
  const { form, mode } = args;
  return (
    <div class="stack">
      <div class="row spread">
        <h2 class="test-title">Arguments</h2>
        {form.kind === 'group' && (
          <Segmented label="How to give the arguments" value={mode} options={modes} onValue={args.setMode} />
        )}
      </div>
      {mode === 'json' || form.kind !== 'group' ? (
        <CodeEditor
          label="Arguments"
          hideLabel
          value={args.text}
          onValue={args.setText}
          error={jsonFault(faults)}
          hint={args.note}
          minLines={8}
        />
      ) : form.fields.length === 0 ? (
        <p class="muted small">This tool takes no arguments.</p>
      ) : (
        <GroupFields field={form} value={args.value} onValue={args.setValue} path="arguments" faults={faults} />
      )}
    </div>
  );
}

/** In one text, each fault has to name its argument. */
function jsonFault(faults: Record<string, string>): string | undefined {
  const told = Object.entries(faults).map(([path, fault]) => {
    const name = path.replace(/^arguments\[?/, '').replace(/\]$/, '');
    return name === '' ? fault : `${name}: ${fault.charAt(0).toLowerCase()}${fault.slice(1)}`;
  });
  return told.length > 0 ? told.join('; ') : undefined;
}
