/** Actions for a server in the list. */
import { useState } from 'preact/hooks';
import { post, remove } from '../../api/client';
import { toApiError } from '../../api/errors';
import type { Server } from '../../api/types';
import { navigate } from '../../app/router';
import { plural } from '../../logic/format';
import type { ServerRights } from '../../logic/rights';
import { useServerRights } from '../../session/me';
import { Confirm } from '../../ui/Confirm';
import { Menu, type MenuItem } from '../../ui/Menu';
import { toast } from '../../ui/Toast';

export interface ServerMenuProps {
  server: Server;
  onChanged: () => void;
}

export function ServerMenu({ server, onChanged }: ServerMenuProps) {
  const [deleting, setDeleting] = useState(false);
  const rights = useServerRights(server);
  return (
    <>
      <Menu
        label={`Actions for ${server.name}`}
        items={menuItems(server, rights, onChanged, () => setDeleting(true))}
      />
      {deleting && (
        <Confirm
          title="Delete server"
          action="Delete server"
          name={server.name}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await remove('/servers/{id}', { path: { id: server.id } });
            toast(`Deleted ${server.name}.`);
            onChanged();
          }}
        >
          This deletes the server with {plural(server.tool_count, 'tool')} and all its prompts, resources and keys.
          Clients that use it stop working immediately. You cannot undo this.
        </Confirm>
      )}
    </>
  );
}

function menuItems(server: Server, rights: ServerRights, onChanged: () => void, onDelete: () => void): MenuItem[] {
  const active = server.status === 'active';
  const toggleItem: MenuItem = {
    label: active ? 'Pause' : 'Activate',
    icon: active ? 'pause' : 'play',
    onSelect: () => void toggle(server, onChanged),
  };
  const manageItems: MenuItem[] = [
    { label: 'Duplicate', icon: 'copy', onSelect: () => void duplicate(server, onChanged) },
    { label: 'Delete…', icon: 'trash', tone: 'bad', onSelect: onDelete },
  ];
  return [
    { label: 'Open', icon: 'server', onSelect: () => void navigate(`/servers/${server.id}/tools`) },
    { label: 'Connect a client', icon: 'plug', onSelect: () => void navigate(`/servers/${server.id}/connect`) },
    ...(rights.edit ? [toggleItem] : []),
    ...(rights.manage ? manageItems : []),
  ];
}

async function toggle(server: Server, onChanged: () => void): Promise<void> {
  await withErrorToast(async () => {
    const { data } = await post('/servers/{id}/toggle', undefined, { path: { id: server.id } });
    onChanged();
    toast(`${server.name} is now ${data.status}.`, {
      action: { label: 'Undo', run: () => void toggle(server, onChanged) },
    });
  });
}

async function duplicate(server: Server, onChanged: () => void): Promise<void> {
  await withErrorToast(async () => {
    const { data } = await post('/servers/{id}/duplicate', undefined, { path: { id: server.id } });
    onChanged();
    const open = { label: 'Open', run: () => void navigate(`/servers/${data.id}/tools`) };
    toast(`Created ${data.name} as a draft.`, { action: open });
  });
}

/** Shows errors as a toast, because a menu has no space for them. */
async function withErrorToast(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (cause) {
    toast(toApiError(cause).message, { tone: 'bad' });
  }
}
