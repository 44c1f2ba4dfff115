/** Blocks, allows and deletes an OAuth client. */
import { useState } from 'preact/hooks';
import { patch, remove } from '../../api/client';
import { toApiError } from '../../api/errors';
import type { OAuthClient } from '../../api/types';
import { navigate } from '../../app/router';
import { Button } from '../../ui/Button';
import { Confirm } from '../../ui/Confirm';
import { toast } from '../../ui/Toast';

export interface ClientActionsProps {
  client: OAuthClient;
  onChanged: (client: OAuthClient) => void;
}

export function ClientActions({ client, onChanged }: ClientActionsProps) {
  const [open, setOpen] = useState<'block' | 'delete'>();
  const close = () => setOpen(undefined);
  const setStatus = async (status: 'allowed' | 'blocked') => {
    const { data } = await patch('/oauth/clients/{id}', { status }, { path: { id: client.id } });
    onChanged(data);
    toast(`${status === 'blocked' ? 'Blocked' : 'Allowed'} ${client.name}.`);
  };
  const allow = () => setStatus('allowed').catch((cause) => toast(toApiError(cause).message, { tone: 'bad' }));
  const isBlocked = client.status === 'blocked';
  return (
    <>
      <Button icon={isBlocked ? 'check' : 'lock'} onClick={() => (isBlocked ? void allow() : setOpen('block'))}>
        {isBlocked ? 'Allow' : 'Block'}
      </Button>
      <Button icon="trash" onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {open === 'block' && (
        <Confirm
          title={`Block ${client.name}`}
          action="Block client"
          onConfirm={() => setStatus('blocked')}
          onClose={close}
        >
          The client can no longer ask for access. All access that people gave it ends immediately, on all servers. You
          can allow it again; people then have to connect it again.
        </Confirm>
      )}
      {open === 'delete' && <DeleteClient client={client} onClose={close} />}
    </>
  );
}

function DeleteClient({ client, onClose }: { client: OAuthClient; onClose: () => void }) {
  const deleteClient = async () => {
    await remove('/oauth/clients/{id}', { path: { id: client.id } });
    toast(`Deleted ${client.name}.`);
    void navigate('/keys?tab=clients');
  };
  return (
    <Confirm title={`Delete ${client.name}`} action="Delete client" onConfirm={deleteClient} onClose={onClose}>
      All access that people gave the client ends immediately, on all servers.{' '}
      {client.kind === 'preregistered'
        ? 'Its ID and secret stop working permanently.'
        : 'The client may come back and ask for access again. To keep it out, block it instead.'}
    </Confirm>
  );
}
