/** Where the tool goes, and the two buttons: try it, then let clients see it. */
import type { Server } from '../../api/types';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { ServerChoice } from './ServerChoice';
import type { Publish } from './use-publish';
import type { ServerPlan } from './use-quick-add';

export interface PublishCardProps {
  servers: readonly Server[];
  plan: ServerPlan;
  suggestedName: string;
  publish: Publish;
  /** Why there is nothing to save now. */
  obstacle: string | undefined;
  onPlan: (plan: ServerPlan) => void;
  onTest: () => void;
  onPublish: () => void;
}

export function PublishCard(props: PublishCardProps) {
  const { servers, plan, suggestedName, publish, obstacle, onPlan, onTest, onPublish } = props;
  const server = servers.find(({ id }) => id === plan.id);
  return (
    <Card title="Where it goes">
      <ServerChoice
        servers={servers}
        plan={plan}
        suggestedName={suggestedName}
        nameFault={publish.serverNameFault}
        onPlan={onPlan}
      />
      {server && server.status !== 'active' && (
        <Callout tone="warn">Clients do not reach this server until you activate it.</Callout>
      )}
      {publish.general && <Callout tone="bad">{publish.general}</Callout>}
      <div class="row">
        <Button icon="play" busy={publish.busy} disabled={obstacle !== undefined} onClick={onTest}>
          Test
        </Button>
        <Button variant="primary" icon="bolt" busy={publish.busy} disabled={obstacle !== undefined} onClick={onPublish}>
          Publish
        </Button>
        <span class="muted small grow">{obstacle ?? 'A test saves the tool as paused: nobody sees it yet.'}</span>
      </div>
    </Card>
  );
}
