/** Where the tool goes, and the two buttons: try it, then let clients see it. */
import type { Server } from '../../api/types';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { ServerChoice } from './ServerChoice';
import type { ServerPlan } from './use-quick-add';
import type { Steps } from './use-steps';

export interface PublishCardProps {
  servers: readonly Server[];
  steps: Steps;
  onPlan: (plan: ServerPlan) => void;
}

export function PublishCard({ servers, steps, onPlan }: PublishCardProps) {
  const { plan, publish, obstacle } = steps;
  const server = servers.find(({ id }) => id === plan.id);
  const blocked = obstacle !== undefined;
  return (
    <section class="quick-add-publish" aria-label="Where it goes">
      <ServerChoice
        servers={servers}
        plan={plan}
        suggestedName={steps.suggestedName}
        nameFault={publish.serverNameFault}
        onPlan={(changed) => {
          publish.clear();
          onPlan(changed);
        }}
      />
      {server && server.status !== 'active' && (
        <Callout tone="warn">Clients do not reach this server until you activate it.</Callout>
      )}
      {publish.general && <Callout tone="bad">{publish.general}</Callout>}
      <p class="quick-add-note">{obstacle ?? 'A test saves the tool as paused: nobody sees it yet.'}</p>
      <div class="quick-add-buttons">
        <Button icon="play" busy={publish.busy} disabled={blocked} onClick={steps.test}>
          Test
        </Button>
        <Button variant="primary" icon="bolt" busy={publish.busy} disabled={blocked} onClick={steps.goLive}>
          Publish
        </Button>
      </div>
    </section>
  );
}
