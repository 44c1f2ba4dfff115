import { get } from '../../api/client';
import type { ServerUsage } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { setQuery } from '../../app/router';
import { formatCount } from '../../logic/format';
import type { DayRange } from '../../logic/range';
import { Card } from '../../ui/Card';
import { LoadError } from '../../ui/LoadError';
import { type Column, Table } from '../../ui/Table';
import { CountBar, durationOrDash, FailureRate } from './cells';

type Row = ServerUsage & { name: string };

/** The maximum number of servers per report. */
const serversMax = 100;

export function ByServer({ range }: { range: DayRange }) {
  const report = useQuery((signal) => load(range, signal), [range.from, range.to]);
  const rows = report.data?.rows;
  const callsMax = Math.max(0, ...(rows?.map(({ calls }) => calls) ?? []));
  const total = report.data?.total ?? 0;
  return (
    <Card
      title="By server"
      description={
        total > serversMax
          ? `The newest ${serversMax} of ${formatCount(total)} servers.`
          : 'Select a server to filter by it.'
      }
    >
      {report.error && <LoadError error={report.error} onRetry={report.reload} />}
      {!report.error && (
        <Table
          label="Calls by server"
          columns={columns(callsMax)}
          rows={rows}
          rowKey={({ server_id }) => server_id}
          reloading={report.reloading}
          empty={<p class="muted">No servers yet.</p>}
        />
      )}
    </Card>
  );
}

/** The report contains ids only; the names come from the list of servers. */
async function load(range: DayRange, signal: AbortSignal): Promise<{ rows: Row[]; total: number }> {
  const servers = await get('/servers', { query: { per_page: serversMax, orderby: 'id', order: 'DESC' }, signal });
  const usage = await get('/analytics/servers', { query: { from: range.from, to: range.to }, signal });
  const names = new Map(servers.data.map(({ id, name }) => [id, name]));
  const rows = usage.data.map((row) => ({ ...row, name: names.get(row.server_id) ?? `Server ${row.server_id}` }));
  return { rows: rows.sort((one, other) => other.calls - one.calls), total: servers.total };
}

function columns(callsMax: number): Column<Row>[] {
  return [
    {
      id: 'name',
      label: 'Server',
      grow: true,
      render: ({ server_id, name }) => (
        <button
          type="button"
          class="analytics-filter truncate"
          onClick={() => setQuery({ server: server_id, tool: undefined, page: undefined })}
        >
          <bdi>{name}</bdi>
        </button>
      ),
    },
    { id: 'calls', label: 'Calls', align: 'end', render: ({ calls }) => <CountBar value={calls} max={callsMax} /> },
    {
      id: 'failures',
      label: 'Failed',
      align: 'end',
      render: ({ calls, failure_rate }) => <FailureRate calls={calls} percent={failure_rate} />,
    },
    { id: 'p50', label: 'p50', align: 'end', wideOnly: true, render: ({ p50_ms }) => durationOrDash(p50_ms) },
    { id: 'p95', label: 'p95', align: 'end', wideOnly: true, render: ({ p95_ms }) => durationOrDash(p95_ms) },
  ];
}
