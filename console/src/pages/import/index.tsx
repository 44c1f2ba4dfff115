/** Import without a server: chooses or creates the server that gets the tools. */
import { useState } from 'preact/hooks';
import { get, post } from '../../api/client';
import { useMutation } from '../../api/use-mutation';
import { useQuery } from '../../api/use-query';
import { droppedDocument } from '../../app/import-document';
import { navigate } from '../../app/router';
import { sourceLabel } from '../../logic/import-source';
import { serverRights } from '../../logic/rights';
import { newServerSettings } from '../../logic/server-form';
import { useMe } from '../../session/me';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Select } from '../../ui/Select';
import { Skeleton } from '../../ui/Skeleton';
import { TextField } from '../../ui/TextField';
import './import-target.css';

export default function ImportPage() {
  const me = useMe();
  const servers = useQuery(
    (signal) => get('/servers', { query: { per_page: 100, orderby: 'updated_at', order: 'DESC' }, signal }),
    [],
  );
  const editable = servers.data?.data.filter((server) => serverRights(me, server).edit);
  return (
    <>
      <PageHeader
        title="Import an API"
        description="Turn the operations of an OpenAPI, Swagger, Postman or HAR file into tools."
      />
      {servers.error && <LoadError title="Could not load the servers" error={servers.error} onRetry={servers.reload} />}
      {me && !me.may_write ? (
        <Callout>You can view servers, but not change them. To import an API, you need write access.</Callout>
      ) : me && editable ? (
        <ServerForm servers={editable} />
      ) : (
        !servers.error && <Skeleton lines={3} />
      )}
    </>
  );
}

function ServerForm({ servers }: { servers: readonly { id: number; name: string }[] }) {
  const [serverId, setServerId] = useState(String(servers[0]?.id ?? ''));
  const [name, setName] = useState('');
  const dropped = droppedDocument.value;
  const open = useMutation(async () => {
    const server = { name, auth_type: 'api-key' as const, settings: newServerSettings };
    const id = serverId === '' ? (await post('/servers', server)).data.id : Number(serverId);
    await navigate(`/servers/${id}/import`);
  }, ['name']);
  const options = [
    ...servers.map((server) => ({ value: String(server.id), label: server.name })),
    { value: '', label: 'New server…' },
  ];
  return (
    <div class="import-target">
      <Card title="Server" description="The tools become part of this server.">
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void open.run();
          }}
        >
          {dropped && <p class="small">Document: {sourceLabel(dropped)}</p>}
          {open.general && <Callout tone="bad">{open.general}</Callout>}
          {servers.length > 0 && (
            <Select label="Import into" value={serverId} options={options} onValue={setServerId} />
          )}
          {serverId === '' && (
            <TextField label="Name of the new server" value={name} onValue={setName} error={open.fields.name} />
          )}
          <div class="row">
            <Button variant="primary" type="submit" busy={open.busy}>
              Continue
            </Button>
          </div>
        </form>
      </Card>
    </div>
  );
}
