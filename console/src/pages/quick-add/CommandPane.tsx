/** Left pane: the pasted command, editable, with the error position marked. */
import { Button } from '../../ui/Button';
import { CodeEditor } from '../../ui/CodeEditor';
import { LoadError } from '../../ui/LoadError';
import type { CurlImportQuery } from './use-import';

export interface CommandPaneProps {
  text: string;
  imported: CurlImportQuery;
  onText: (text: string) => void;
  onClear: () => void;
}

export function CommandPane({ text, imported, onText, onClear }: CommandPaneProps) {
  const { error, pending, retry } = imported;
  const message = error?.params.curl;
  const marker = error?.position && message ? { ...error.position, message } : undefined;
  return (
    <section class="quick-add-command" aria-label="Command" aria-busy={pending}>
      <CodeEditor
        label="curl command"
        language="text"
        minLines={text === '' ? 5 : 8}
        value={text}
        onValue={onText}
        error={message}
        marker={marker}
        hint="Copy a command from a terminal, API documentation or your browser (Network → Copy as cURL). Toolgate parses it and never runs it."
      />
      {error && message === undefined && (
        <LoadError title="Could not parse the command" error={error} onRetry={retry} />
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
