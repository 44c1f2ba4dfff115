/** Calls by tool, most first, and unused tools. */
import { get } from '../../api/client';
import type { ToolUsage } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { currentQuery, setQuery } from '../../app/router';
import { readPage } from '../../logic/page';
import { Card } from '../../ui/Card';
import { PagedTable } from '../../ui/PagedTable';
import { Segmented } from '../../ui/Segmented';
import type { Column } from '../../ui/Table';
import { Time } from '../../ui/Time';
import { CountBar, durationOrDash, FailureRate } from './cells';
import type { ReportFilter } from './use-report';

const options = [
  { value: '', label: 'All' },
  { value: 'used', label: 'Used' },
  { value: 'unused', label: 'Unused' },
] as const;

type UsageFilter = (typeof options)[number]['value'];

export function ByTool({ range, server }: ReportFilter) {
  const query = currentQuery.value;
  const usage: UsageFilter = options.find(({ value }) => value === query.get('tools'))?.value ?? '';
  const page = readPage(query);
  const report = useQuery(
    (signal) => get('/analytics/tools', { query: { ...toolsQuery(range, server, usage), page, per_page: 20 }, signal }),
    [range.from, range.to, server, usage, page],
  );
  return (
    <Card
      title="By tool"
      description="Unused tools take up space in the model's context. Pause the ones you do not need."
      actions={
        <Segmented
          label="Tools"
          value={usage}
          options={options}
          onValue={(tools) => setQuery({ tools, page: undefined })}
        />
      }
    >
      <PagedTable
        label="Calls by tool"
        noun="tools"
        query={report}
        page={page}
        columns={columns(Math.max(0, ...(report.data?.data.map(({ calls }) => calls) ?? [])))}
        rowKey={({ tool_id }) => tool_id}
        empty={<p class="muted">{emptyTexts[usage]}</p>}
      />
    </Card>
  );
}

const emptyTexts: Record<UsageFilter, string> = {
  '': 'No tools yet.',
  used: 'No tool was called in this range.',
  unused: 'Every tool was called in this range.',
};

function toolsQuery({ from, to }: ReportFilter['range'], server: number | undefined, usage: UsageFilter) {
  return { from, to, server, unused: usage === '' ? undefined : usage === 'unused' };
}

function columns(callsMax: number): Column<ToolUsage>[] {
  return [
    { id: 'tool', label: 'Tool', grow: true, render: (row) => <ToolCell row={row} /> },
    { id: 'calls', label: 'Calls', align: 'end', render: ({ calls }) => <CountBar value={calls} max={callsMax} /> },
    {
      id: 'failures',
      label: 'Failed',
      align: 'end',
      render: ({ calls, failure_rate }) => <FailureRate calls={calls} percent={failure_rate} />,
    },
    { id: 'p50', label: 'p50', align: 'end', wideOnly: true, render: ({ p50_ms }) => durationOrDash(p50_ms) },
    { id: 'p95', label: 'p95', align: 'end', wideOnly: true, render: ({ p95_ms }) => durationOrDash(p95_ms) },
    { id: 'p99', label: 'p99', align: 'end', wideOnly: true, render: ({ p99_ms }) => durationOrDash(p99_ms) },
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

function ToolCell({ row }: { row: ToolUsage }) {
  return (
    <div class="analytics-tool">
      <button
        type="button"
        class="analytics-filter truncate"
        onClick={() => setQuery({ server: row.server_id, tool: row.tool_id, page: undefined })}
      >
        <bdi>{row.tool_name}</bdi>
      </button>
      <bdi class="muted small truncate">
        {row.server_name}
        {row.status === 'paused' && ' · paused'}
      </bdi>
    </div>
  );
}
