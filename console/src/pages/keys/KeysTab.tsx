import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import type { ApiKey, Me, User } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { currentQuery } from '../../app/router';
import { readPage } from '../../logic/page';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ExpiryTime } from '../../ui/ExpiryTime';
import { PagedTable } from '../../ui/PagedTable';
import type { Column } from '../../ui/Table';
import { Time } from '../../ui/Time';
import { Toolbar } from '../../ui/Toolbar';
import { CreateKeyDialog } from './CreateKeyDialog';
import { KeyHint } from './KeyHint';
import { RevokeKey } from './RevokeKey';

export function KeysTab({ me }: { me: Me }) {
  const page = readPage(currentQuery.value);
  const keys = useQuery((signal) => get('/api-keys', { query: { page, per_page: 20 }, signal }), [page]);
  // Only administrators see other users and their keys.
  const users = useQuery(
    async (signal) =>
      me.may_administer ? (await get('/users', { query: { per_page: 100 }, signal })).data : [me.user],
    [me],
  );
  const [creating, setCreating] = useState(false);
  return (
    <>
      <Toolbar
        end={
          me.may_write && (
            <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
              New key
            </Button>
          )
        }
      />
      <PagedTable
        label="API keys"
        noun="keys"
        query={keys}
        page={page}
        columns={columns(me, users.data ?? [], keys.reload)}
        rowKey={({ id }) => id}
      />
      {creating && (
        <CreateKeyDialog
          me={me}
          users={users.data ?? [me.user]}
          onCreated={keys.reload}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}

function columns(me: Me, users: readonly User[], onChanged: () => void): Column<ApiKey>[] {
  const userName = (id: number) => users.find((user) => user.id === id)?.name ?? `User ${id}`;
  const userColumn: Column<ApiKey> = {
    id: 'user',
    label: 'User',
    wideOnly: true,
    render: ({ user_id }) => <bdi class="keys-user truncate">{userName(user_id)}</bdi>,
  };
  return [
    {
      id: 'name',
      label: 'Name',
      grow: true,
      render: (key) => <NameCell apiKey={key} isSessionKey={key.id === me.key?.id} />,
    },
    ...(me.may_administer ? [userColumn] : []),
    {
      id: 'scopes',
      label: 'Scopes',
      wideOnly: true,
      render: ({ scopes }) => (
        <span class="keys-scopes">
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
      ),
    },
    {
      id: 'created',
      label: 'Created',
      wideOnly: true,
      render: ({ created_at }) => (
        <span class="keys-time">
          <Time value={created_at} />
        </span>
      ),
    },
    { id: 'expires', label: 'Expires', render: ({ expires_at }) => <ExpiryTime expiresAt={expires_at} /> },
    {
      id: 'actions',
      label: 'Actions',
      hideLabel: true,
      align: 'end',
      render: (key) =>
        me.may_write && <RevokeKey apiKey={key} isSessionKey={key.id === me.key?.id} onRevoked={onChanged} />,
    },
  ];
}

function NameCell({ apiKey, isSessionKey }: { apiKey: ApiKey; isSessionKey: boolean }) {
  return (
    <div class="keys-name">
      <span class="row">
        <bdi class="keys-title truncate">{apiKey.name}</bdi>
        {isSessionKey && <Badge tone="accent">current key</Badge>}
      </span>
      <KeyHint hint={apiKey.hint} />
    </div>
  );
}
