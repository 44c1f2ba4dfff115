/** Requests that endpoints refused, by server and reason. */
import { get } from '../../api/client';
import type { RefusalTotals } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { formatCount } from '../../logic/format';
import { refusalLabel } from '../../logic/refusals';
import { Card } from '../../ui/Card';
import { LoadError } from '../../ui/LoadError';
import { type Column, Table } from '../../ui/Table';
import { CountBar } from './cells';
import type { ReportFilter } from './use-report';

const rowsMax = 20;

export function Refusals({ range, server }: Pick<ReportFilter, 'range' | 'server'>) {
  const { from, to } = range;
  const report = useQuery(
    (signal) => get('/analytics/refusals', { query: { from, to, server, per_page: rowsMax }, signal }),
    [from, to, server],
  );
  const rows = report.data?.data;
  const hiddenCount = (report.data?.total ?? 0) - (rows?.length ?? 0);
  return (
    <Card
      title="Refused requests"
      description="Requests that were refused before a call started (401, 403 or 429). Only their number is recorded."
    >
      {report.error && <LoadError error={report.error} onRetry={report.reload} />}
      {!report.error && (
        <Table
          label="Refused requests"
          columns={columns(rows?.[0]?.requests ?? 0)}
          rows={rows}
          rowKey={({ server_id, reason }) => `${server_id} ${reason}`}
          reloading={report.reloading}
          empty={<p class="muted">No requests were refused in this range.</p>}
        />
      )}
      {hiddenCount > 0 && <p class="muted">{formatCount(hiddenCount)} less frequent rows are not shown.</p>}
    </Card>
  );
}

function columns(requestsMax: number): Column<RefusalTotals>[] {
  return [
    { id: 'server', label: 'Server', grow: true, render: (row) => <ServerCell row={row} /> },
    {
      id: 'reason',
      label: 'Reason',
      render: ({ reason }) => <span class="analytics-reason">{refusalLabel(reason)}</span>,
    },
    { id: 'status', label: 'Status', align: 'end', wideOnly: true, render: ({ status }) => status },
    {
      id: 'requests',
      label: 'Requests',
      align: 'end',
      render: ({ requests }) => <CountBar value={requests} max={requestsMax} />,
    },
  ];
}

function ServerCell({ row }: { row: RefusalTotals }) {
  if (row.server_id === null) return <span class="muted">Unknown server</span>;
  return <bdi class="truncate">{row.server_name ?? `Server ${row.server_id}`}</bdi>;
}
