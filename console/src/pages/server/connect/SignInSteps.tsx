/** Steps that add a server with sign-in to one client. */
import type { Server } from '../../../api/types';
import { type SignInClientId, signInClients } from '../../../logic/sign-in-steps';
import { serverName } from '../../../logic/snippets';
import { Callout } from '../../../ui/Callout';
import { CodeBlock } from '../../../ui/CodeBlock';
import { Icon } from '../../../ui/Icon';
import './SignInSteps.css';

export interface SignInStepsProps {
  client: SignInClientId;
  server: Pick<Server, 'slug' | 'endpoint_url'>;
  issuerHost: string | undefined;
}

export function SignInSteps({ client, server, issuerHost }: SignInStepsProps) {
  const { label, guide } = signInClients[client];
  const { steps, note, warning, install } = guide({
    name: serverName(server.slug),
    url: server.endpoint_url,
    issuerHost,
  });
  return (
    <div class="stack">
      {warning && <Callout tone="warn">{warning}</Callout>}
      <ol class="sign-in-steps">
        {steps.map(({ text, code }) => (
          <li key={text} class="sign-in-steps-step">
            <p>{text}</p>
            {code && (
              <CodeBlock label={`${code.label} for ${label}`} text={code.text} wrap={!code.text.includes('\n')} />
            )}
          </li>
        ))}
      </ol>
      {note && <p class="field-hint">{note}</p>}
      {install && (
        <div>
          {/* Not a Link: the URL opens another application. It is generated, so it is trusted. */}
          <a class="button button-secondary button-medium" href={install}>
            <Icon name="external" />
            <span class="button-text">Add to {label}</span>
          </a>
        </div>
      )}
    </div>
  );
}
