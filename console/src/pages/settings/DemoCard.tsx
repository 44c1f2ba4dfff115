/** A server to try everything with, offline. */
import { post } from '../../api/client';
import { useMutation } from '../../api/use-mutation';
import { navigate } from '../../app/router';
import { Status } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { toast } from '../../ui/Toast';

export interface DemoCardProps {
  /** Null where there is none; undefined from a service that knows no demo. */
  serverId: number | null | undefined;
  onAdded: () => void;
}

export function DemoCard({ serverId, onAdded }: DemoCardProps) {
  const add = useMutation(async () => {
    const { data } = await post('/demo', undefined);
    onAdded();
    toast(`${data.name} was added.`, {
      action: { label: 'Open', run: () => void navigate(`/servers/${data.id}/tools`) },
    });
  });
  if (serverId === undefined) return null;
  return (
    <Card
      title="Demo server"
      description="A book shop whose API is inside the service: tools to search, read and order, one that is slow and one that always fails. It needs no network."
    >
      {add.general && (
        <Callout tone="bad" title="The demo could not be added">
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
      <p class="field-hint">It is a server like any other: to be rid of it, delete it.</p>
    </Card>
  );
}
