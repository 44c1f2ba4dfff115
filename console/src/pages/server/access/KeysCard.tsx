/** Endpoint keys of a server. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { get, remove } from '../../../api/client';
import type { EndpointKey, Server } from '../../../api/types';
import { useQuery } from '../../../api/use-query';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Confirm } from '../../../ui/Confirm';
import { Empty } from '../../../ui/Empty';
import { ExpiryTime } from '../../../ui/ExpiryTime';
import { LoadError } from '../../../ui/LoadError';
import { type Column, Table } from '../../../ui/Table';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/Toast';
import { CreateEndpointKeyDialog } from './CreateEndpointKeyDialog';
import { EditEndpointKeyDialog } from './EditEndpointKeyDialog';

export function KeysCard({ server }: { server: Server }) {
  const [creating, setCreating] = useState(false);
  const [editing, setEditing] = useState<EndpointKey>();
  const [revoking, setRevoking] = useState<EndpointKey>();
  const keys = useQuery(
    async (signal) => (await get('/servers/{id}/keys', { path: { id: server.id }, signal })).data,
    [server.id],
  );
  const create = (
    <Button icon="plus" variant={keys.data?.length === 0 ? 'primary' : 'secondary'} onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  return (
    <Card
      title="Endpoint keys"
      description="Create one key per client, so that you can revoke it without affecting the others."
      actions={keys.data?.length ? create : undefined}
    >
      {keys.error && <LoadError title="Could not load the keys" error={keys.error} onRetry={keys.reload} />}
      {(keys.data || keys.loading) && (
        <Table
          label="Endpoint keys"
          columns={columns(setEditing, setRevoking)}
          rows={keys.data}
          rowKey={({ id }) => id}
          skeletonRows={2}
          empty={<NoKeys server={server} action={create} />}
        />
      )}
      {creating && (
        <CreateEndpointKeyDialog serverId={server.id} onCreated={keys.reload} onClose={() => setCreating(false)} />
      )}
      {editing && (
        <EditEndpointKeyDialog apiKey={editing} onChanged={keys.reload} onClose={() => setEditing(undefined)} />
      )}
      {revoking && (
        <Confirm
          title="Revoke key"
          action="Revoke key"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await remove('/servers/{id}/keys/{key_id}', { path: { id: server.id, key_id: revoking.id } });
            keys.reload();
            toast(`Revoked ${revoking.name}.`);
          }}
        >
          Clients that use <strong class="access-name">{revoking.name}</strong> (<code>{revoking.hint}</code>) are
          rejected when they send their next request. You cannot undo this.
        </Confirm>
      )}
    </Card>
  );
}

type KeyAction = (key: EndpointKey) => void;

function columns(onEdit: KeyAction, onRevoke: KeyAction): Column<EndpointKey>[] {
  return [
    { id: 'name', label: 'Name', grow: true, render: ({ name }) => <NameCell name={name} /> },
    { id: 'hint', label: 'Starts with', wideOnly: true, render: ({ hint }) => <code>{hint}</code> },
    {
      id: 'used',
      label: 'Last used',
      render: ({ last_used_at }) =>
        last_used_at ? <TimeCell value={last_used_at} /> : <span class="muted">never</span>,
    },
    { id: 'expires', label: 'Expires', render: ({ expires_at }) => <ExpiryTime expiresAt={expires_at} /> },
    {
      id: 'limit',
      label: 'Per minute',
      align: 'end',
      wideOnly: true,
      render: ({ rate_limit_per_min }) => rate_limit_per_min ?? <span class="muted">server limit</span>,
    },
    {
      id: 'actions',
      label: 'Actions',
      hideLabel: true,
      align: 'end',
      render: (key) => <KeyActions name={key.name} onEdit={() => onEdit(key)} onRevoke={() => onRevoke(key)} />,
    },
  ];
}

function KeyActions({ name, onEdit, onRevoke }: { name: string; onEdit: () => void; onRevoke: () => void }) {
  return (
    <span class="access-actions">
      <Button size="small" variant="ghost" onClick={onEdit}>
        Edit<span class="visually-hidden"> {name}</span>
      </Button>
      <Button size="small" variant="ghost" onClick={onRevoke}>
        Revoke<span class="visually-hidden"> {name}</span>
      </Button>
    </span>
  );
}

function NameCell({ name }: { name: string }) {
  return (
    <p class="truncate" title={name}>
      <bdi>{name}</bdi>
    </p>
  );
}

function TimeCell({ value }: { value: string }) {
  return (
    <span class="access-time">
      <Time value={value} />
    </span>
  );
}

function NoKeys({ server, action }: { server: Server; action: ComponentChildren }) {
  return (
    <Empty icon="key" title="No keys yet" action={action}>
      {server.auth_type === 'none'
        ? 'This server requires no key. Before you require one, create keys for your clients.'
        : 'Clients need a key to connect. It is shown once, when you create it.'}
    </Empty>
  );
}
