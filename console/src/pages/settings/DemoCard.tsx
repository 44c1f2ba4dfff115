/** The demo server, which works offline. */
import { post } from '../../api/client';
import { useMutation } from '../../api/use-mutation';
import { navigate } from '../../app/router';
import { Status } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { toast } from '../../ui/Toast';

export interface DemoCardProps {
  /** Null if it does not exist; undefined if the service has no demo. */
  serverId: number | null | undefined;
  onAdded: () => void;
}

export function DemoCard({ serverId, onAdded }: DemoCardProps) {
  const add = useMutation(async () => {
    const { data } = await post('/demo', undefined);
    onAdded();
    toast(`Added ${data.name}.`, {
      action: { label: 'Open', run: () => void navigate(`/servers/${data.id}/tools`) },
    });
  });
  if (serverId === undefined) return null;
  return (
    <Card
      title="Demo server"
      description="A book shop with a built-in API: tools to search, read and order, a slow tool and one that always fails. It works without a network."
    >
      {add.general && (
        <Callout tone="bad" title="Could not add the demo server">
          {add.general}
        </Callout>
      )}
      {serverId === null ? (
        <div class="row spread">
          <Status value="draft" label="Off" />
          <Button icon="plus" busy={add.busy} onClick={() => void add.run()}>
            Add the demo server
          </Button>
        </div>
      ) : (
        <div class="row spread">
          <Status value="active" label="On" />
          <Button href={`/servers/${serverId}/tools`}>Open the demo server</Button>
        </div>
      )}
      <p class="field-hint">To remove it, delete the server.</p>
    </Card>
  );
}
