/** Users with whom the server is shared. */
import { useState } from 'preact/hooks';
import { get, patch, remove } from '../../../api/client';
import { toApiError } from '../../../api/errors';
import type { Member, Server } from '../../../api/types';
import { useQuery } from '../../../api/use-query';
import { type MemberRole, memberRoles } from '../../../logic/access';
import { toOAuthForm } from '../../../logic/oauth-form';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Confirm } from '../../../ui/Confirm';
import { Empty } from '../../../ui/Empty';
import { LoadError } from '../../../ui/LoadError';
import { Select } from '../../../ui/Select';
import { type Column, Table } from '../../../ui/Table';
import { toast } from '../../../ui/Toast';
import { AddMemberDialog } from './AddMemberDialog';

export interface MembersCardProps {
  server: Server;
  /** Whether the user may change the members. */
  canManage: boolean;
}

export function MembersCard({ server, canManage }: MembersCardProps) {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const members = useQuery(
    async (signal) => (await get('/servers/{id}/members', { path: { id: server.id }, signal })).data,
    [server.id],
  );
  const changeRole = async (member: Member, role: MemberRole) => {
    try {
      await patch('/servers/{id}/members/{user_id}', { role }, { path: { id: server.id, user_id: member.user_id } });
      toast(`${member.user_name} is now ${role}.`);
    } catch (cause) {
      toast(toApiError(cause).message, { tone: 'bad' });
    }
    members.reload();
  };
  const add = canManage && (
    <Button icon="plus" onClick={() => setAdding(true)}>
      Add member
    </Button>
  );
  return (
    <Card title="Members" description={memberDescription(server)} actions={members.data?.length ? add : undefined}>
      {members.error && <LoadError title="Could not load the members" error={members.error} onRetry={members.reload} />}
      {(members.data || members.loading) && (
        <Table
          label="Members"
          columns={canManage ? managedColumns(changeRole, setRemoving) : columns}
          rows={members.data}
          rowKey={({ user_id }) => user_id}
          skeletonRows={1}
          empty={
            <Empty icon="users" title="Not shared" action={add}>
              {membersSignIn(server)
                ? 'Add the people who may sign in. Until then, only the owner and administrators can.'
                : 'Only the owner and administrators see this server.'}
            </Empty>
          }
        />
      )}
      {adding && <AddMemberDialog serverId={server.id} onAdded={members.reload} onClose={() => setAdding(false)} />}
      {removing && (
        <Confirm
          title="Remove member"
          action="Remove member"
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await remove('/servers/{id}/members/{user_id}', {
              path: { id: server.id, user_id: removing.user_id },
            });
            members.reload();
            toast(`Removed ${removing.user_name}.`);
          }}
        >
          <strong class="access-name">{removing.user_name}</strong> no longer sees this server. Endpoint keys that the
          user knows stay valid.
          {membersSignIn(server) && ' Apps that the user connected lose access.'}
        </Confirm>
      )}
    </Card>
  );
}

/** Whether membership lets people sign in at the endpoint. */
function membersSignIn(server: Server): boolean {
  const { issuer, access } = toOAuthForm(server);
  return server.auth_type === 'oauth' && issuer === 'builtin' && access === 'members';
}

function memberDescription(server: Server): string {
  const roles = 'Viewers read it; editors also change it and test its tools.';
  return membersSignIn(server)
    ? `Users who may sign in and use the server. They also see it in the console, unless their role is member. ${roles}`
    : `Other users of this service who can see the server. ${roles}`;
}

const nameColumn: Column<Member> = {
  id: 'name',
  label: 'User',
  grow: true,
  render: ({ user_name }) => <bdi class="truncate">{user_name}</bdi>,
};

const columns: Column<Member>[] = [
  nameColumn,
  {
    id: 'role',
    label: 'Role',
    render: ({ role }) => memberRoles.find(({ value }) => value === role)?.label ?? role,
  },
];

function managedColumns(
  onRole: (member: Member, role: MemberRole) => Promise<void>,
  onRemove: (member: Member) => void,
): Column<Member>[] {
  return [
    nameColumn,
    {
      id: 'role',
      label: 'Role',
      render: (member) => (
        <div class="access-role">
          <Select
            label={`Role of ${member.user_name}`}
            hideLabel
            value={member.role as MemberRole}
            options={memberRoles}
            onValue={(role) => void onRole(member, role)}
          />
        </div>
      ),
    },
    {
      id: 'remove',
      label: 'Remove',
      hideLabel: true,
      align: 'end',
      render: (member) => (
        <Button size="small" variant="ghost" onClick={() => onRemove(member)}>
          Remove<span class="visually-hidden"> {member.user_name}</span>
        </Button>
      ),
    },
  ];
}
