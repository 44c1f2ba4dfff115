import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import type { Me, User } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { currentQuery } from '../../app/router';
import { roleLabel } from '../../logic/access';
import { readPage } from '../../logic/page';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { PagedTable } from '../../ui/PagedTable';
import type { Column } from '../../ui/Table';
import { Time } from '../../ui/Time';
import { Toolbar } from '../../ui/Toolbar';
import { CreateUserDialog } from './CreateUserDialog';
import { UserActions } from './UserActions';

export function UsersTab({ me }: { me: Me }) {
  const page = readPage(currentQuery.value);
  const users = useQuery((signal) => get('/users', { query: { page, per_page: 20 }, signal }), [page]);
  const [creating, setCreating] = useState(false);
  return (
    <>
      <Toolbar
        end={
          <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
            New user
          </Button>
        }
      />
      <PagedTable
        label="Users"
        noun="users"
        query={users}
        page={page}
        columns={columns(me, users.reload)}
        rowKey={({ id }) => id}
      />
      {creating && <CreateUserDialog onCreated={users.reload} onClose={() => setCreating(false)} />}
    </>
  );
}

function columns(me: Me, onChanged: () => void): Column<User>[] {
  return [
    {
      id: 'name',
      label: 'Name',
      grow: true,
      render: ({ id, name, disabled }) => (
        <span class="row">
          <bdi class="keys-title truncate">{name}</bdi>
          {id === me.user.id && <Badge tone="accent">you</Badge>}
          {disabled && <Badge tone="warn">disabled</Badge>}
        </span>
      ),
    },
    { id: 'role', label: 'Role', render: ({ role }) => roleLabel(role) },
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
    {
      id: 'actions',
      label: 'Actions',
      hideLabel: true,
      align: 'end',
      render: (user) => <UserActions user={user} isSelf={user.id === me.user.id} onChanged={onChanged} />,
    },
  ];
}
