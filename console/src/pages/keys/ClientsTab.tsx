/** OAuth clients, which may ask people for access to servers. */
import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import type { OAuthClient } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { Link } from '../../app/Link';
import { currentQuery } from '../../app/router';
import { kindLabel } from '../../logic/grants';
import { readPage } from '../../logic/page';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';
import { PagedTable } from '../../ui/PagedTable';
import type { Column } from '../../ui/Table';
import { Time } from '../../ui/Time';
import { Toolbar } from '../../ui/Toolbar';
import { clientHref } from '../oauth-clients/client-href';
import { CreateClientDialog } from './CreateClientDialog';

export function ClientsTab() {
  const page = readPage(currentQuery.value);
  const clients = useQuery((signal) => get('/oauth/clients', { query: { page, per_page: 20 }, signal }), [page]);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      Register a client
    </Button>
  );
  return (
    <>
      <Toolbar end={create}>
        <p class="muted small grow">
          Clients that may ask people for access to servers. Most register themselves or have a metadata document.
        </p>
      </Toolbar>
      <PagedTable
        label="OAuth clients"
        noun="clients"
        query={clients}
        page={page}
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={clientHref}
        empty={
          <Empty icon="plug" title="No clients yet">
            AI clients appear here when they connect to a server that requires sign-in. Register a client yourself if it
            asks for a client ID.
          </Empty>
        }
      />
      {creating && <CreateClientDialog onCreated={clients.reload} onClose={() => setCreating(false)} />}
    </>
  );
}

const columns: Column<OAuthClient>[] = [
  {
    id: 'name',
    label: 'Name',
    grow: true,
    render: (client) => (
      <span class="row keys-client">
        <Link class="keys-title truncate" href={clientHref(client)}>
          <bdi>{client.name}</bdi>
        </Link>
        {client.status === 'blocked' && <Badge tone="bad">blocked</Badge>}
      </span>
    ),
  },
  {
    id: 'kind',
    label: 'Kind',
    render: ({ kind }) => <span class="keys-time">{kindLabel(kind)}</span>,
  },
  {
    id: 'registered',
    label: 'Registered',
    wideOnly: true,
    render: ({ created_at }) => (
      <span class="keys-time">
        <Time value={created_at} />
      </span>
    ),
  },
  {
    id: 'consent',
    label: 'Last allowed',
    wideOnly: true,
    render: ({ last_consent_at }) => (
      <span class="keys-time">{last_consent_at === null ? 'never' : <Time value={last_consent_at} />}</span>
    ),
  },
];
