import type { ComponentChildren } from 'preact';
import type { ApiResponse } from '../../api/client';
import type { Server } from '../../api/types';
import type { Query } from '../../api/use-query';
import { Link } from '../../app/Link';
import { formatCount } from '../../logic/format';
import { Status } from '../../ui/Badge';
import { CopyText } from '../../ui/CopyButton';
import { PagedTable } from '../../ui/PagedTable';
import { Skeleton } from '../../ui/Skeleton';
import type { Column, Sort } from '../../ui/Table';
import { Time } from '../../ui/Time';
import { ServerMenu } from './ServerMenu';
import { type CallsToday, useCallsToday } from './use-calls-today';
import './servers.css';

export interface ServersTableProps {
  servers: Query<ApiResponse<Server[]>>;
  page: number;
  sort: Sort;
  onSort: (sort: Sort) => void;
  empty: ComponentChildren;
}

export function ServersTable({ servers, page, sort, onSort, empty }: ServersTableProps) {
  const today = useCallsToday(servers.data?.data);
  return (
    <PagedTable
      label="Servers"
      noun="servers"
      query={servers}
      page={page}
      columns={columns(today, servers.reload)}
      rowKey={(server) => server.id}
      rowHref={hrefOf}
      sort={sort}
      onSort={onSort}
      empty={empty}
    />
  );
}

function columns(today: CallsToday, onChanged: () => void): Column<Server>[] {
  return [
    { id: 'name', label: 'Name', sortable: true, grow: true, render: (server) => <NameCell server={server} /> },
    { id: 'status', label: 'Status', sortable: true, render: ({ status }) => <Status value={status} /> },
    { id: 'tools', label: 'Tools', align: 'end', wideOnly: true, render: ({ tool_count }) => formatCount(tool_count) },
    {
      id: 'calls',
      label: 'Calls today',
      align: 'end',
      wideOnly: true,
      render: ({ id }) => <CallsCell today={today} id={id} />,
    },
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
      <CopyText text={server.endpoint_url} label={`Copy the endpoint URL of ${server.name}`} />
    </div>
  );
}

/** Optional information: the list works without it. */
function CallsCell({ today, id }: { today: CallsToday; id: number }) {
  if (today === 'unknown') return <span class="muted">unknown</span>;
  return today === undefined ? <Skeleton width="48px" /> : <>{formatCount(today.get(id) ?? 0)}</>;
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
