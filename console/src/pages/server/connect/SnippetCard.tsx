/** What to paste for one client, where, and the button that does it where there is one. */
import { type ClientId, clients, keyPlaceholder, type Target } from '../../../logic/snippets';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { CodeBlock } from '../../../ui/CodeBlock';
import { Icon } from '../../../ui/Icon';

export function SnippetCard({ client, target }: { client: ClientId; target: Target }) {
  const { label, snippet } = clients[client];
  const { text, label: file, where, install, warning } = snippet(target);
  return (
    <Card
      title={label}
      description={where}
      actions={
        install && (
          // Not a Link: the address belongs to a program beside the browser, and is made by us.
          <a class="button button-primary button-medium" href={install}>
            <Icon name="external" />
            <span class="button-text">Add to {label}</span>
          </a>
        )
      }
    >
      {warning && <Callout tone="warn">{warning}</Callout>}
      <div class="stack stack-tight">
        <p class="field-label mono">{file}</p>
        <CodeBlock label={`${file} for ${label}`} text={text} wrap={!text.includes('\n')} />
        {text.includes(keyPlaceholder) && (
          <p class="field-hint">
            Put a key of this server in place of <code>{keyPlaceholder}</code>.
          </p>
        )}
      </div>
    </Card>
  );
}
