/** How people sign in, and which people: the settings of OAuth. */
import { useState } from 'preact/hooks';
import type { Issuer, Server } from '../../../api/types';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { Confirm } from '../../../ui/Confirm';
import { RadioCards } from '../../../ui/RadioCards';
import { Checkbox } from '../../../ui/Switch';
import { BuiltInFields } from './BuiltInFields';
import { ExternalFields } from './ExternalFields';
import { IssuerProblem } from './IssuerProblem';
import { useSignIn } from './use-sign-in';

const issuers = [
  {
    value: 'builtin',
    label: 'This service',
    text: 'People sign in at Toolgate, with a password, a link, a key, or the account of your organisation.',
  },
  {
    value: 'external',
    label: 'Another issuer',
    text: 'Your own provider, such as Keycloak, Auth0, Okta or Entra, issues the tokens.',
  },
] as const;

export interface SignInCardProps {
  server: Server;
  /** Sign-in is chosen but not saved yet. */
  choosing: boolean;
  issuer: Issuer | undefined;
  onServer: (server: Server) => void;
}

export function SignInCard({ server, choosing, issuer, onServer }: SignInCardProps) {
  const form = useSignIn(server, choosing, onServer);
  const [confirming, setConfirming] = useState(false);
  const { values, set, errors } = form;
  const isBuiltIn = values.issuer === 'builtin';
  // Tokens of an external issuer need the address of this service, too: it is their audience.
  const problem = issuer?.problem;
  // With a problem, a server cannot start to require sign-in; if it already does, the settings can still change.
  const isImpossible = choosing && Boolean(problem);
  const savedIssuer = form.dirty && !choosing ? storedIssuer(server) : undefined;
  const submit = (event: Event) => {
    event.preventDefault();
    if (savedIssuer !== undefined && savedIssuer !== issuerOf(values)) setConfirming(true);
    else void form.save();
  };
  return (
    <Card title="Sign-in" description="Where people sign in, and which of them may use this server.">
      <form class="stack" noValidate onSubmit={submit}>
        {form.general && <Callout tone="bad">{form.general}</Callout>}
        <RadioCards
          label="Where people sign in"
          value={values.issuer}
          options={issuers}
          onValue={(next) => set({ issuer: next })}
        />
        {problem && <IssuerProblem problem={problem} inUse={!choosing} />}
        {isBuiltIn && !isImpossible && <BuiltInFields values={values} set={set} errors={errors} />}
        {!isBuiltIn && <ExternalFields values={values} set={set} errors={errors} endpointUrl={server.endpoint_url} />}
        {!isImpossible && (
          <Checkbox
            label="Accept keys as well"
            hint="Scripts can use endpoint keys of this server, and API keys of its owner with the scope mcp."
            checked={values.keys}
            onValue={(keys) => set({ keys })}
          />
        )}
        <div class="row">
          <Button variant="primary" type="submit" busy={form.busy} disabled={choosing ? isImpossible : !form.dirty}>
            {choosing ? 'Require sign-in' : 'Save sign-in'}
          </Button>
          {form.dirty && !choosing && <Button onClick={form.discard}>Discard</Button>}
          {form.dirty && <span class="muted small">Unsaved changes</span>}
        </div>
      </form>
      {confirming && (
        <Confirm
          title="Change where people sign in?"
          action="Change issuer"
          onClose={() => setConfirming(false)}
          onConfirm={form.save}
        >
          All connected apps lose access immediately. People connect them again and sign in at the new issuer.
        </Confirm>
      )}
    </Card>
  );
}

function storedIssuer({ settings }: Server): string {
  const oauth = settings?.oauth;
  const issuer = typeof oauth === 'object' && oauth !== null && 'issuer' in oauth ? oauth.issuer : undefined;
  return typeof issuer === 'string' ? issuer : 'builtin';
}

function issuerOf({ issuer, issuerUrl }: { issuer: string; issuerUrl: string }): string {
  return issuer === 'builtin' ? issuer : issuerUrl.trim();
}
