/** Calls by endpoint key, most first, including calls with a user's API key and calls without a key. */
import { get } from '../../api/client';
import type { KeyUsage } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { Link } from '../../app/Link';
import { callerFilter, callerLabel, callerName } from '../../logic/caller';
import { formatCount } from '../../logic/format';
import { Card } from '../../ui/Card';
import { LoadError } from '../../ui/LoadError';
import { type Column, Table } from '../../ui/Table';
import { Time } from '../../ui/Time';
import { CountBar, durationOrDash, FailureRate } from './cells';
import type { ReportFilter } from './use-report';

/** The maximum number of rows. */
const keysMax = 100;

export function ByKey({ range, server }: Pick<ReportFilter, 'range' | 'server'>) {
  const report = useQuery(
    (signal) =>
      get('/analytics/keys', { query: { from: range.from, to: range.to, server, per_page: keysMax }, signal }),
    [range.from, range.to, server],
  );
  const rows = report.data?.data;
  const total = report.data?.total ?? 0;
  return (
    <Card
      title="By key"
      description={
        total > keysMax
          ? `The busiest ${keysMax} of ${formatCount(total)} keys.`
          : 'Who called: endpoint keys, users with an API key, and calls without a key. Select a key to see its calls.'
      }
    >
      {report.error && <LoadError error={report.error} onRetry={report.reload} />}
      {!report.error && (
        <Table
          label="Calls by key"
          columns={columns(rows?.[0]?.calls ?? 0)}
          rows={rows}
          rowKey={({ server_id, endpoint_key_id, user_id }) => `${server_id}-${endpoint_key_id}-${user_id}`}
          reloading={report.reloading}
          empty={<p class="muted">No calls in this range.</p>}
        />
      )}
    </Card>
  );
}

function columns(callsMax: number): Column<KeyUsage>[] {
  return [
    { id: 'key', label: 'Key', grow: true, render: (row) => <KeyCell row={row} /> },
    { id: 'calls', label: 'Calls', align: 'end', render: ({ calls }) => <CountBar value={calls} max={callsMax} /> },
    {
      id: 'failures',
      label: 'Failed',
      align: 'end',
      render: ({ calls, failure_rate }) => <FailureRate calls={calls} percent={failure_rate} />,
    },
    { id: 'p50', label: 'p50', align: 'end', wideOnly: true, render: ({ p50_ms }) => durationOrDash(p50_ms) },
    { id: 'p95', label: 'p95', align: 'end', wideOnly: true, render: ({ p95_ms }) => durationOrDash(p95_ms) },
    {
      id: 'last',
      label: 'Last call',
      align: 'end',
      wideOnly: true,
      render: ({ last_call }) => (
        <span class="muted analytics-last">{last_call === null ? 'never' : <Time value={last_call} />}</span>
      ),
    },
  ];
}

function KeyCell({ row }: { row: KeyUsage }) {
  // Most rows are keys, so their names need no kind.
  const label = row.caller.kind === 'key' ? callerName(row.caller) : callerLabel(row.caller);
  return (
    <div class="analytics-tool">
      <Link
        class="analytics-filter truncate"
        href={`/calls?server=${row.server_id}&caller=${callerFilter(row.caller)}`}
      >
        <bdi>{label}</bdi>
      </Link>
      <bdi class="muted small truncate">{row.server_name}</bdi>
    </div>
  );
}
