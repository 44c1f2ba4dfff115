/** Choice of the server, and the Test and Publish buttons. */
import type { Server } from '../../api/types';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Confirm } from '../../ui/Confirm';
import { RequestLine } from './RequestLine';
import { ServerChoice } from './ServerChoice';
import type { PlannedTool, ServerPlan } from './use-quick-add';
import type { Steps } from './use-steps';

export interface PublishCardProps {
  servers: readonly Server[];
  tool: PlannedTool;
  steps: Steps;
  onServerPlan: (plan: ServerPlan) => void;
}

export function PublishCard({ servers, tool, steps, onServerPlan }: PublishCardProps) {
  const { serverPlan, publish, blockedReason } = steps;
  const server = servers.find(({ id }) => id === serverPlan.id);
  const isBlocked = blockedReason !== undefined;
  return (
    <section class="quick-add-publish" aria-label="Publish">
      <ServerChoice
        servers={servers}
        plan={serverPlan}
        suggestedName={steps.suggestedName}
        nameError={publish.serverNameError}
        onPlan={(changed) => {
          publish.clear();
          onServerPlan(changed);
        }}
      />
      {server && server.status !== 'active' && (
        <Callout tone="warn">Clients cannot reach this server until you activate it.</Callout>
      )}
      {publish.generalError && <Callout tone="bad">{publish.generalError}</Callout>}
      <p class="quick-add-note">{blockedReason ?? 'Test saves the tool as paused, so clients do not see it yet.'}</p>
      <div class="quick-add-buttons">
        <Button icon="play" busy={publish.busy} disabled={isBlocked} onClick={steps.startTest}>
          Test
        </Button>
        <Button variant="primary" icon="bolt" busy={publish.busy} disabled={isBlocked} onClick={steps.publishTool}>
          Publish
        </Button>
      </div>
      {steps.isConfirmingTest && <ConfirmTest tool={tool} steps={steps} />}
    </section>
  );
}

/** Asks before a request that may change data: the pasted values are real. */
function ConfirmTest({ tool, steps }: { tool: PlannedTool; steps: Steps }) {
  const method = tool.draft.http_method;
  return (
    <Confirm
      title={`Send this ${method} request?`}
      action={`Send ${method} request`}
      onConfirm={steps.runTest}
      onClose={steps.cancelTest}
    >
      <p>The test sends the pasted values to the API, which may change, create or delete something there:</p>
      <RequestLine method={method} url={tool.parts.endpoint_url} />
    </Confirm>
  );
}
