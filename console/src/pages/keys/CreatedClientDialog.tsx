import type { CreatedOAuthClient } from '../../api/types';
import { Button } from '../../ui/Button';
import { CodeBlock } from '../../ui/CodeBlock';
import { Dialog } from '../../ui/Dialog';
import { OneTimeSecret } from '../../ui/OneTimeSecret';

/** The ID of a new client, and its secret, which is shown only here. */
export function CreatedClientDialog({ client, onClose }: { client: CreatedOAuthClient; onClose: () => void }) {
  return (
    <Dialog
      open
      dirty
      onClose={onClose}
      title={`Registered ${client.name}`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div class="stack">
        <p>Enter these values in the client.</p>
        <div class="stack stack-tight">
          <p class="field-label">Client ID</p>
          <CodeBlock label="Client ID" text={client.client_id} wrap />
        </div>
        {client.client_secret === undefined ? (
          <p class="field-hint">The client has no secret.</p>
        ) : (
          <OneTimeSecret label="Client secret" value={client.client_secret} />
        )}
      </div>
    </Dialog>
  );
}
