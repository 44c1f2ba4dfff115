/** Where tools may go: the rule as it is set, and what it means. */
import { explainEgress } from '../../logic/egress';
import { Card } from '../../ui/Card';
import { Fact, Facts } from './Facts';

export function EgressCard({ rules }: { rules: string }) {
  const allowed = explainEgress(rules);
  return (
    <Card
      title="Where tools may go"
      description="Tools call public addresses. Everything else is refused unless it is allowed here, so that nobody reaches your network through a tool."
    >
      <Facts>
        <Fact label="Public addresses">Always allowed, over http and https.</Fact>
        {allowed.map(({ rule, text }) => (
          <Fact key={rule} label={rule}>
            {text}
          </Fact>
        ))}
      </Facts>
      {allowed.length === 0 && <p class="muted small">Nothing beside them: not this machine, no private network.</p>}
      <p class="field-hint">
        Set by <code>TOOLGATE_UPSTREAM_ALLOW</code>. Unless set, it is <code>loopback,private</code> while only this
        machine can reach the service, and nothing otherwise.
      </p>
    </Card>
  );
}
