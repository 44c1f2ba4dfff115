/** How to add a server that requires sign-in to a client: its address, and the steps for known clients. */
import { useState } from 'preact/hooks';
import type { Server } from '../../../api/types';
import { issuerHost, toOAuthForm } from '../../../logic/oauth-form';
import { isSignInClient, type SignInClientId, signInClients } from '../../../logic/sign-in-steps';
import { Card } from '../../../ui/Card';
import { CodeBlock } from '../../../ui/CodeBlock';
import { Tabs } from '../../../ui/Tabs';
import { ActivateCallout } from '../ActivateCallout';
import { SignInSteps } from '../connect/SignInSteps';

const tabs = Object.keys(signInClients)
  .filter(isSignInClient)
  .map((id) => ({ id, label: signInClients[id].label }));

export function AddressCard({ server, onServer }: { server: Server; onServer: (server: Server) => void }) {
  const [client, setClient] = useState<SignInClientId>('claude');
  const host = issuerHost(toOAuthForm(server));
  return (
    <Card
      title="Add it to a client"
      description="Paste this address into the client. The client needs no key: it opens a page on which people sign in."
    >
      <ActivateCallout server={server} onActivated={onServer} />
      <CodeBlock label="Address of the server" text={server.endpoint_url} wrap />
      <Tabs label="Client" tabs={tabs} current={client} onTab={setClient}>
        <SignInSteps client={client} server={server} issuerHost={host} />
      </Tabs>
    </Card>
  );
}
