/** How one client connects to a server that requires sign-in. */
import type { Server } from '../../../api/types';
import { issuerHost, toOAuthForm } from '../../../logic/oauth-form';
import { type SignInClientId, signInClients } from '../../../logic/sign-in-steps';
import { Card } from '../../../ui/Card';
import { CodeBlock } from '../../../ui/CodeBlock';
import { SignInSteps } from './SignInSteps';

export function SignInGuideCard({ client, server }: { client: SignInClientId; server: Server }) {
  return (
    <Card
      title={signInClients[client].label}
      description="This server requires sign-in. The client needs its address, and no key."
    >
      <CodeBlock label="Address of the server" text={server.endpoint_url} wrap />
      <SignInSteps client={client} server={server} issuerHost={issuerHost(toOAuthForm(server))} />
    </Card>
  );
}
