import { get } from '../../api/client';
import type { ClientUsage } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { setQuery } from '../../app/router';
import { formatDuration } from '../../logic/format';
import type { DayRange } from '../../logic/range';
import { Card } from '../../ui/Card';
import { LoadError } from '../../ui/LoadError';
import { type Column, Table } from '../../ui/Table';
import { CountBar, FailureRate } from './cells';

export function ByClient({ range }: { range: DayRange }) {
  const report = useQuery(
    (signal) => get('/analytics/client-breakdown', { query: { from: range.from, to: range.to }, signal }),
    [range.from, range.to],
  );
  const rows = report.data?.data;
  return (
    <Card title="By client" description="All servers. Select a client to filter by it.">
      {report.error && <LoadError error={report.error} onRetry={report.reload} />}
      {!report.error && (
        <Table
          label="Calls by client"
          columns={columns(rows?.[0]?.total_calls ?? 0)}
          rows={rows}
          rowKey={({ client_type }) => client_type}
          reloading={report.reloading}
          empty={<p class="muted">No client made calls in this range.</p>}
        />
      )}
    </Card>
  );
}

function columns(callsMax: number): Column<ClientUsage>[] {
  return [
    {
      id: 'client',
      label: 'Client',
      grow: true,
      render: ({ client_type }) => (
        <button type="button" class="analytics-filter truncate" onClick={() => setQuery({ client: client_type })}>
          <bdi>{client_type}</bdi>
        </button>
      ),
    },
    {
      id: 'calls',
      label: 'Calls',
      align: 'end',
      render: ({ total_calls }) => <CountBar value={total_calls} max={callsMax} />,
    },
    {
      id: 'failures',
      label: 'Failed',
      align: 'end',
      render: ({ total_calls, failed_calls }) => (
        <FailureRate calls={total_calls} percent={(failed_calls / Math.max(1, total_calls)) * 100} />
      ),
    },
    {
      id: 'average',
      label: 'Average',
      align: 'end',
      wideOnly: true,
      render: ({ avg_response_time_ms }) => formatDuration(avg_response_time_ms),
    },
  ];
}
