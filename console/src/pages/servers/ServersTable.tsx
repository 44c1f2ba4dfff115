import type { ComponentChildren } from 'preact';
import type { Server } from '../../api/types';
import { Link } from '../../app/Link';
import { formatCount } from '../../logic/format';
import { Status } from '../../ui/Badge';
import { CopyText } from '../../ui/CopyButton';
import { type Column, type Sort, Table } from '../../ui/Table';
import { Time } from '../../ui/Time';
import { CallsToday } from './CallsToday';
import { ServerMenu } from './ServerMenu';
import './servers.css';

export interface ServersTableProps {
  servers: readonly Server[] | undefined;
  reloading: boolean;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** A server was changed or deleted. */
  onChanged: () => void;
  empty: ComponentChildren;
}

export function ServersTable({ servers, reloading, sort, onSort, onChanged, empty }: ServersTableProps) {
  return (
    <Table
      label="Servers"
      columns={columns(onChanged)}
      rows={servers}
      rowKey={(server) => server.id}
      rowHref={hrefOf}
      reloading={reloading}
      sort={sort}
      onSort={onSort}
      empty={empty}
    />
  );
}

function columns(onChanged: () => void): Column<Server>[] {
  return [
    { id: 'name', label: 'Name', sortable: true, grow: true, render: (server) => <NameCell server={server} /> },
    { id: 'status', label: 'Status', sortable: true, render: ({ status }) => <Status value={status} /> },
    { id: 'tools', label: 'Tools', align: 'end', wideOnly: true, render: ({ tool_count }) => formatCount(tool_count) },
    { id: 'calls', label: 'Calls today', wideOnly: true, render: ({ id }) => <CallsToday serverId={id} /> },
    {
      id: 'updated_at',
      label: 'Changed',
      sortable: true,
      wideOnly: true,
      render: ({ updated_at }) => <ChangedCell time={updated_at} />,
    },
    {
      id: 'actions',
      label: 'Actions',
      hideLabel: true,
      align: 'end',
      render: (server) => <ServerMenu server={server} onChanged={onChanged} />,
    },
  ];
}

function NameCell({ server }: { server: Server }) {
  return (
    <div class="servers-name">
      <Link class="servers-link truncate" href={hrefOf(server)}>
        {server.name}
      </Link>
      <CopyText text={server.endpoint_url} label={`Copy the endpoint of ${server.name}`} />
    </div>
  );
}

function ChangedCell({ time }: { time: string }) {
  return (
    <span class="servers-changed">
      <Time value={time} />
    </span>
  );
}

function hrefOf({ id }: Server): string {
  return `/servers/${id}/tools`;
}
