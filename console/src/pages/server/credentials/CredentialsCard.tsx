/** List of the credentials of a server. Their values are never shown. */
import { useState } from 'preact/hooks';
import { get, remove } from '../../../api/client';
import type { ServerCredential } from '../../../api/types';
import { useQuery } from '../../../api/use-query';
import { authLabels, isAuthType } from '../../../logic/credentials';
import { deletionText } from '../../../logic/server-credential-form';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Confirm } from '../../../ui/Confirm';
import { Empty } from '../../../ui/Empty';
import { LoadError } from '../../../ui/LoadError';
import { type Column, Table } from '../../../ui/Table';
import { toast } from '../../../ui/Toast';
import { CredentialDialog } from './CredentialDialog';

export interface CredentialsCardProps {
  serverId: number;
  /** Whether the user may change the credentials. */
  canEdit: boolean;
}

export function CredentialsCard({ serverId, canEdit }: CredentialsCardProps) {
  const [editing, setEditing] = useState<ServerCredential | 'new'>();
  const [deleting, setDeleting] = useState<ServerCredential>();
  const credentials = useQuery(
    async (signal) => (await get('/servers/{server_id}/credentials', { path: { server_id: serverId }, signal })).data,
    [serverId],
  );
  const isEmpty = credentials.data?.length === 0;
  const create = canEdit && (
    <Button icon="plus" variant={isEmpty ? 'primary' : 'secondary'} onClick={() => setEditing('new')}>
      New credential
    </Button>
  );
  return (
    <Card
      title="Credentials"
      description="Tools can share a credential: store it once, and change it for all of them at once."
      actions={credentials.data?.length ? create : undefined}
    >
      {credentials.error && (
        <LoadError title="Could not load the credentials" error={credentials.error} onRetry={credentials.reload} />
      )}
      {(credentials.data || credentials.loading) && (
        <Table
          label="Credentials"
          columns={columns(canEdit ? { onEdit: setEditing, onDelete: setDeleting } : undefined)}
          rows={credentials.data}
          rowKey={({ id }) => id}
          skeletonRows={2}
          empty={
            <Empty icon="lock" title="No credentials yet" action={create}>
              Create a credential here, then choose it in the Authentication tab of a tool.
            </Empty>
          }
        />
      )}
      {editing && (
        <CredentialDialog
          serverId={serverId}
          saved={editing === 'new' ? undefined : editing}
          onSaved={credentials.reload}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <Confirm
          title="Delete credential"
          action="Delete credential"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            const path = { server_id: serverId, id: deleting.id };
            // Without force, the API rejects the deletion if a tool has started to use the credential in the meantime.
            const query = deleting.tools_count > 0 ? { force: true } : {};
            await remove('/servers/{server_id}/credentials/{id}', { path, query });
            credentials.reload();
            toast(`Deleted ${deleting.name}.`);
          }}
        >
          This deletes <strong class="credentials-name">{deleting.name}</strong>. {deletionText(deleting)} You cannot
          undo this.
        </Confirm>
      )}
    </Card>
  );
}

interface CredentialActions {
  onEdit: (credential: ServerCredential) => void;
  onDelete: (credential: ServerCredential) => void;
}

function columns(actions: CredentialActions | undefined): Column<ServerCredential>[] {
  const all: Column<ServerCredential>[] = [
    {
      id: 'name',
      label: 'Name',
      grow: true,
      render: ({ name }) => (
        <p class="truncate" title={name}>
          <code>{name}</code>
        </p>
      ),
    },
    {
      id: 'type',
      label: 'Authentication',
      render: ({ auth_type }) => (isAuthType(auth_type) ? authLabels[auth_type] : auth_type),
    },
    {
      id: 'values',
      label: 'Values',
      wideOnly: true,
      render: ({ has_credentials }) => (has_credentials ? 'stored' : <Badge tone="warn">missing</Badge>),
    },
    { id: 'tools', label: 'Tools', align: 'end', render: ({ tools_count }) => tools_count },
  ];
  if (!actions) return all;
  return [
    ...all,
    {
      id: 'actions',
      label: 'Actions',
      hideLabel: true,
      align: 'end',
      render: (credential) => (
        <span class="credentials-actions">
          <Button size="small" variant="ghost" onClick={() => actions.onEdit(credential)}>
            Edit<span class="visually-hidden"> {credential.name}</span>
          </Button>
          <Button size="small" variant="ghost" onClick={() => actions.onDelete(credential)}>
            Delete<span class="visually-hidden"> {credential.name}</span>
          </Button>
        </span>
      ),
    },
  ];
}
