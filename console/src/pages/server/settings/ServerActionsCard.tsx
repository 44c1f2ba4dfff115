/** Pause, duplicate, hand over and delete a server. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { post, remove } from '../../../api/client';
import type { Server } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { navigate } from '../../../app/router';
import { clearUnsaved } from '../../../app/unsaved';
import { plural } from '../../../logic/format';
import type { ServerRights } from '../../../logic/rights';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { Confirm } from '../../../ui/Confirm';
import { toast } from '../../../ui/Toast';
import { HandOverDialog } from './HandOverDialog';

export interface ServerActionsCardProps {
  server: Server;
  rights: ServerRights;
  onServer: (server: Server) => void;
}

export function ServerActionsCard({ server, rights, onServer }: ServerActionsCardProps) {
  const [deleting, setDeleting] = useState(false);
  const [handingOver, setHandingOver] = useState(false);
  const path = { id: server.id };
  const active = server.status === 'active';
  const toggle = useMutation(async () => {
    const { data } = await post('/servers/{id}/toggle', undefined, { path });
    onServer({ ...server, status: data.status });
    toast(`${server.name} is now ${data.status}.`);
  });
  const duplicate = useMutation(async () => {
    const { data } = await post('/servers/{id}/duplicate', undefined, { path });
    toast(`Created ${data.name} as a draft.`, {
      action: { label: 'Open', run: () => void navigate(`/servers/${data.id}/tools`) },
    });
  });
  const error = toggle.error ?? duplicate.error;
  return (
    <Card title="Server actions">
      {error && <Callout tone="bad">{error.message}</Callout>}
      <Action
        title={active ? 'Pause' : 'Activate'}
        text={
          active
            ? 'Clients get status 503 until you activate the server again. No data is lost.'
            : 'Clients can list and call the active tools.'
        }
      >
        <Button icon={active ? 'pause' : 'play'} busy={toggle.busy} onClick={() => void toggle.run()}>
          {active ? 'Pause' : 'Activate'}
        </Button>
      </Action>
      {rights.manage && (
        <Action
          title="Duplicate"
          text="Creates a draft with the same tools, prompts, resources and stored credentials, but without endpoint keys."
        >
          <Button icon="copy" busy={duplicate.busy} onClick={() => void duplicate.run()}>
            Duplicate
          </Button>
        </Action>
      )}
      {rights.handOver && (
        <Action title="Hand over" text="Gives the server another owner. Clients are not affected.">
          <Button icon="users" onClick={() => setHandingOver(true)}>
            Hand over
          </Button>
        </Action>
      )}
      {rights.manage && (
        <Action title="Delete" text="Deletes the server and everything in it. You cannot undo this.">
          <Button variant="danger" icon="trash" onClick={() => setDeleting(true)}>
            Delete server
          </Button>
        </Action>
      )}
      {handingOver && <HandOverDialog server={server} onServer={onServer} onClose={() => setHandingOver(false)} />}
      {deleting && (
        <Confirm
          title="Delete server"
          action="Delete server"
          name={server.name}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await remove('/servers/{id}', { path });
            clearUnsaved();
            toast(`Deleted ${server.name}.`);
            void navigate('/servers', { replace: true });
          }}
        >
          This deletes the server with {plural(server.tool_count, 'tool')} and all its prompts, resources and keys.
          Clients that use it stop working immediately. You cannot undo this.
        </Confirm>
      )}
    </Card>
  );
}

function Action({ title, text, children }: { title: string; text: string; children: ComponentChildren }) {
  return (
    <div class="server-settings-action">
      <div class="grow">
        <h3>{title}</h3>
        <p class="muted small">{text}</p>
      </div>
      {children}
    </div>
  );
}
