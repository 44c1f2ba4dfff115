/** Configuration snippet of one client, with an install button if the client supports it. */
import { type ClientId, clients, keyPlaceholder, type SnippetTarget } from '../../../logic/snippets';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { CodeBlock } from '../../../ui/CodeBlock';
import { Icon } from '../../../ui/Icon';

export function SnippetCard({ client, target }: { client: ClientId; target: SnippetTarget }) {
  const { label, snippet } = clients[client];
  const { text, label: snippetLabel, instructions, install, warning } = snippet(target);
  return (
    <Card
      title={label}
      description={instructions}
      actions={
        install && (
          // Not a Link: the URL opens another application. It is generated, so it is trusted.
          <a class="button button-primary button-medium" href={install}>
            <Icon name="external" />
            <span class="button-text">Add to {label}</span>
          </a>
        )
      }
    >
      {warning && <Callout tone="warn">{warning}</Callout>}
      {target.signIn && !warning && (
        <Callout>This server requires sign-in: the client opens a page on which you sign in and allow access.</Callout>
      )}
      <div class="stack stack-tight">
        <p class="field-label mono">{snippetLabel}</p>
        <CodeBlock label={`${snippetLabel} for ${label}`} text={text} wrap={!text.includes('\n')} />
        {text.includes(keyPlaceholder) && (
          <p class="field-hint">
            Replace <code>{keyPlaceholder}</code> with an endpoint key of this server.
          </p>
        )}
      </div>
    </Card>
  );
}
