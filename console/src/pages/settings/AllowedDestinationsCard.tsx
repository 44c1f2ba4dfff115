/** Allowed destinations: the addresses that tools may call. */
import { describeAllowedDestinations } from '../../logic/allowed-destinations';
import { Card } from '../../ui/Card';
import { Fact, Facts } from './Facts';

export function AllowedDestinationsCard({ rules }: { rules: string }) {
  const allowed = describeAllowedDestinations(rules);
  return (
    <Card
      title="Allowed destinations"
      description="Tools may call public addresses. Other addresses are blocked unless they are listed here, which protects your internal network."
    >
      <Facts>
        <Fact label="Public addresses">Always allowed, with http and https.</Fact>
        {allowed.map(({ rule, text }) => (
          <Fact key={rule} label={rule}>
            {text}
          </Fact>
        ))}
      </Facts>
      {allowed.length === 0 && (
        <p class="muted small">No other addresses are allowed: neither this machine nor private networks.</p>
      )}
      <p class="field-hint">
        Set <code>TOOLGATE_UPSTREAM_ALLOW</code> to change this. The default is <code>loopback,private</code> if only
        this machine can reach the service, and empty otherwise.
      </p>
    </Card>
  );
}
