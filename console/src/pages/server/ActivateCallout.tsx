/** Warns that a server is not active, with a button to activate it. */
import { post } from '../../api/client';
import type { Server } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';

export function ActivateCallout({ server, onActivated }: { server: Server; onActivated: (server: Server) => void }) {
  const activate = useMutation(async () => {
    const { data } = await post('/servers/{id}/toggle', undefined, { path: { id: server.id } });
    onActivated({ ...server, status: data.status });
  });
  if (server.status === 'active') return null;
  const button = (
    <Button size="small" icon="play" busy={activate.busy} onClick={() => void activate.run()}>
      Activate
    </Button>
  );
  return (
    <Callout
      tone={activate.error ? 'bad' : 'warn'}
      title={`This server is ${server.status === 'draft' ? 'a draft' : 'paused'}`}
      action={button}
    >
      {activate.error?.message ?? 'Clients cannot connect until you activate it.'}
    </Callout>
  );
}
