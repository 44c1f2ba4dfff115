/** What can be done to a server from the list. */
import { useState } from 'preact/hooks';
import { post, remove } from '../../api/client';
import { toApiError } from '../../api/errors';
import type { Server } from '../../api/types';
import { navigate } from '../../app/router';
import { plural } from '../../logic/format';
import { Confirm } from '../../ui/Confirm';
import { Menu, type MenuItem } from '../../ui/Menu';
import { toast } from '../../ui/Toast';

export interface ServerMenuProps {
  server: Server;
  onChanged: () => void;
}

export function ServerMenu({ server, onChanged }: ServerMenuProps) {
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <Menu label={`Actions for ${server.name}`} items={menuItems(server, onChanged, () => setDeleting(true))} />
      {deleting && (
        <Confirm
          title="Delete server"
          action="Delete server"
          name={server.name}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await remove('/servers/{id}', { path: { id: server.id } });
            toast(`${server.name} was deleted.`);
            onChanged();
          }}
        >
          The server and all that is in it ({plural(server.tool_count, 'tool')}, its prompts, resources and keys) are
          deleted. Clients that use it stop working at once. There is no way back.
        </Confirm>
      )}
    </>
  );
}

function menuItems(server: Server, onChanged: () => void, onDelete: () => void): MenuItem[] {
  const active = server.status === 'active';
  return [
    { label: 'Open', icon: 'server', onSelect: () => void navigate(`/servers/${server.id}/tools`) },
    { label: 'Connect a client', icon: 'plug', onSelect: () => void navigate(`/servers/${server.id}/connect`) },
    {
      label: active ? 'Pause' : 'Activate',
      icon: active ? 'pause' : 'play',
      onSelect: () => void toggle(server, onChanged),
    },
    { label: 'Duplicate', icon: 'copy', onSelect: () => void duplicate(server, onChanged) },
    { label: 'Delete…', icon: 'trash', tone: 'bad', onSelect: onDelete },
  ];
}

async function toggle(server: Server, onChanged: () => void): Promise<void> {
  await orSay(async () => {
    const { data } = await post('/servers/{id}/toggle', undefined, { path: { id: server.id } });
    onChanged();
    toast(`${server.name} is ${data.status} now.`, {
      action: { label: 'Undo', run: () => void toggle(server, onChanged) },
    });
  });
}

async function duplicate(server: Server, onChanged: () => void): Promise<void> {
  await orSay(async () => {
    const { data } = await post('/servers/{id}/duplicate', undefined, { path: { id: server.id } });
    onChanged();
    const open = { label: 'Open', run: () => void navigate(`/servers/${data.id}/tools`) };
    toast(`${data.name} was made, as a draft.`, { action: open });
  });
}

/** A menu has no place for an error: it is told at the edge of the screen. */
async function orSay(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (cause) {
    toast(toApiError(cause).message, { tone: 'bad' });
  }
}
