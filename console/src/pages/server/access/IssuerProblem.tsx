/** Says why this service cannot sign people in, and what to set. */
import type { Issuer } from '../../../api/types';
import { Callout } from '../../../ui/Callout';

export interface IssuerProblemProps {
  problem: NonNullable<Issuer['problem']>;
  /** Sign-in is in use: people cannot connect. */
  inUse: boolean;
}

export function IssuerProblem({ problem, inUse }: IssuerProblemProps) {
  return (
    <Callout tone="warn" title={inUse ? 'People cannot sign in' : 'This service cannot sign people in yet'}>
      <p>
        {problem === 'no_base_url'
          ? 'Sign-in needs a fixed https address for this service.'
          : 'Sign-in needs https, and the address of this service is not https.'}
      </p>
      <p>
        Set <code>TOOLGATE_BASE_URL</code> to the public https address, for example{' '}
        <code>TOOLGATE_BASE_URL=https://tools.example.com</code>, and restart the service.
      </p>
    </Callout>
  );
}
