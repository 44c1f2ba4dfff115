/** Left: what was pasted, to be changed at will, with the fault marked where the service found it. */
import { Button } from '../../ui/Button';
import { CodeEditor } from '../../ui/CodeEditor';
import { LoadError } from '../../ui/LoadError';
import type { Importing } from './use-import';

export interface CommandPaneProps {
  text: string;
  imported: Importing;
  onText: (text: string) => void;
  onClear: () => void;
}

export function CommandPane({ text, imported, onText, onClear }: CommandPaneProps) {
  const { error, pending, retry } = imported;
  const message = error?.params.curl;
  const fault = error?.position && message ? { ...error.position, message } : undefined;
  return (
    <section class="quick-add-command" aria-label="Command" aria-busy={pending}>
      <CodeEditor
        label="curl command"
        language="text"
        minLines={text === '' ? 5 : 8}
        value={text}
        onValue={onText}
        error={message}
        fault={fault}
        hint="From a terminal, API documentation, or your browser: Network, then Copy as cURL. It is only read, never run."
      />
      {error && message === undefined && (
        <LoadError title="The command could not be read" error={error} onRetry={retry} />
      )}
      {text !== '' && (
        <div class="row">
          <Button size="small" variant="ghost" onClick={onClear}>
            Start over
          </Button>
        </div>
      )}
    </section>
  );
}
