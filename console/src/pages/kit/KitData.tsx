import { useState } from 'preact/hooks';
import { formatDuration } from '../../logic/format';
import { Card, Stat } from '../../ui/Card';
import { Chart } from '../../ui/Chart';
import { JsonView } from '../../ui/JsonView';
import { Pagination } from '../../ui/Pagination';
import { Sparkline } from '../../ui/Sparkline';
import { type Sort, Table } from '../../ui/Table';
import { Tabs } from '../../ui/Tabs';
import { Toolbar } from '../../ui/Toolbar';
import { VirtualList } from '../../ui/VirtualList';

const hours = Array.from({ length: 48 }, (_, hour) => new Date(Date.UTC(2026, 10, 14, hour)));
const calls = hours.map((_, hour) => Math.round(40 + 30 * Math.sin(hour / 4) + (hour % 5) * 3));
const rows = ['get_weather', 'get_forecast', 'list_stations'].map((name, id) => ({ id, name, calls: 1200 * (id + 1) }));
const columns = [
  { id: 'name', label: 'Name', sortable: true, grow: true, render: (row: (typeof rows)[number]) => row.name },
  {
    id: 'calls',
    label: 'Calls',
    sortable: true,
    align: 'end' as const,
    render: (row: (typeof rows)[number]) => row.calls,
  },
];
const items = Array.from({ length: 100_000 }, (_, id) => id);

export function KitData() {
  const [sort, setSort] = useState<Sort>({ by: 'name', order: 'ASC' });
  const [page, setPage] = useState(2);
  const [tab, setTab] = useState<'request' | 'response'>('request');
  const [search, setSearch] = useState('');
  return (
    <Card title="Data">
      <div class="grid">
        <Stat label="Calls today" value="12,345" note="yesterday 10,201" />
        <Stat label="Success" value="99.5 %" tone="good" note={<Sparkline points={calls} label="Calls" />} />
        <Stat label="Loading" value={undefined} />
      </div>
      <Chart
        label="Calls and failures"
        times={hours}
        series={[
          { label: 'Calls', values: calls, area: true },
          { label: 'Failures', values: calls.map((count) => count % 7), tone: 'bad' },
        ]}
        format={formatDuration}
      />
      <Toolbar search={{ label: 'Search tools', value: search, onValue: setSearch }} />
      <Table label="Tools" columns={columns} rows={rows} rowKey={({ id }) => id} sort={sort} onSort={setSort} />
      <Pagination page={page} totalPages={5} total={93} noun="tools" onPage={setPage} />
      <Table label="Loading" columns={columns} rows={undefined} rowKey={({ id }) => id} skeletonRows={2} />
      <Tabs
        label="Panes"
        tabs={[
          { id: 'request', label: 'Request' },
          { id: 'response', label: 'Response', count: 3 },
        ]}
        current={tab}
        onTab={setTab}
      >
        <JsonView
          label={tab}
          value={{ city: 'Oslo', days: 3, tags: ['a', 'b'], outer: { inner: { value: null } }, ok: true, empty: {} }}
        />
      </Tabs>
      <VirtualList
        label="Many"
        items={items}
        itemKey={(id) => id}
        rowHeight={32}
        height="160px"
        render={(id) => `Row ${id}`}
      />
    </Card>
  );
}
