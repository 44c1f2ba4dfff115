/** Choice of the server, and the Test and Publish buttons. */
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
  const { plan, publish, blockedReason } = steps;
  const server = servers.find(({ id }) => id === plan.id);
  const blocked = blockedReason !== undefined;
  return (
    <section class="quick-add-publish" aria-label="Publish">
      <ServerChoice
        servers={servers}
        plan={plan}
        suggestedName={steps.suggestedName}
        nameError={publish.serverNameError}
        onPlan={(changed) => {
          publish.clear();
          onPlan(changed);
        }}
      />
      {server && server.status !== 'active' && (
        <Callout tone="warn">Clients cannot reach this server until you activate it.</Callout>
      )}
      {publish.general && <Callout tone="bad">{publish.general}</Callout>}
      <p class="quick-add-note">{blockedReason ?? 'Test saves the tool as paused, so clients do not see it yet.'}</p>
      <div class="quick-add-buttons">
        <Button icon="play" busy={publish.busy} disabled={blocked} onClick={steps.test}>
          Test
        </Button>
        <Button variant="primary" icon="bolt" busy={publish.busy} disabled={blocked} onClick={steps.publishTool}>
          Publish
        </Button>
      </div>
    </section>
  );
}
