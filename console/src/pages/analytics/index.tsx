/** Analytics: calls, failures and response times over a date range. */
import { currentQuery, setQuery } from '../../app/router';
import { formatRange, intervalOf } from '../../logic/range';
import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { ClientFilter, QueryFilters, ServerFilter, ToolFilter } from '../../ui/QueryFilters';
import { Skeleton } from '../../ui/Skeleton';
import { ByClient } from './ByClient';
import { ByKey } from './ByKey';
import { ByServer } from './ByServer';
import { ByTool } from './ByTool';
import { ExportMenu } from './ExportMenu';
import { RangePicker } from './RangePicker';
import { Refusals } from './Refusals';
import { UsageCharts } from './UsageCharts';
import { UsageStats } from './UsageStats';
import { type ReportFilter, readReportFilter, useReport } from './use-report';
import './analytics.css';

/** Height of a chart with its card, so that the page does not move when the charts appear. */
const chartHeight = '342px';

export default function AnalyticsPage() {
  const filter = readReportFilter(currentQuery.value);
  const { range } = filter;
  return (
    <>
      <PageHeader
        title="Analytics"
        description={`${formatRange(range)}. Days are UTC. Test runs are not counted.`}
        actions={<ExportMenu filter={filter} />}
      />
      <QueryFilters>
        <RangePicker range={range} />
        <ServerFilter server={filter.server} />
        <ToolFilter server={filter.server} tool={filter.tool} />
        <ClientFilter client={filter.client} />
        {isFiltered(filter) && (
          <Button variant="ghost" icon="close" onClick={clearFilters}>
            Clear
          </Button>
        )}
      </QueryFilters>
      <div class="stack">
        <Report filter={filter} />
        <ByTool {...filter} />
        <div class="analytics-pair">
          <ByServer range={range} />
          <ByClient range={range} />
        </div>
        <ByKey range={range} server={filter.server} />
        <Refusals range={range} server={filter.server} />
      </div>
    </>
  );
}

function Report({ filter }: { filter: ReportFilter }) {
  const { points, previous } = useReport(filter);
  const loadedPoints = points.data?.data;
  if (points.error) return <LoadError title="Could not load the report" error={points.error} onRetry={points.reload} />;
  return (
    <>
      <UsageStats range={filter.range} points={loadedPoints} previous={previous} />
      {loadedPoints === undefined && (
        <div class="analytics-charts">
          <Skeleton height={chartHeight} />
          <Skeleton height={chartHeight} />
        </div>
      )}
      {loadedPoints?.every(({ calls }) => calls === 0) && <NoCallsInRange filter={filter} />}
      {loadedPoints?.some(({ calls }) => calls > 0) && (
        <UsageCharts points={loadedPoints} interval={intervalOf(filter.range)} />
      )}
    </>
  );
}

function NoCallsInRange({ filter }: { filter: ReportFilter }) {
  if (isFiltered(filter)) {
    return (
      <Empty icon="chart" title="No matching calls" action={<Button onClick={clearFilters}>Show all calls</Button>}>
        No calls in this range match the filters.
      </Empty>
    );
  }
  return (
    <Empty
      icon="chart"
      title="No calls in this range"
      action={
        <Button variant="primary" icon="plug" href="/servers">
          Connect a client
        </Button>
      }
    >
      Choose a longer range, or connect an AI client to one of your servers.
    </Empty>
  );
}

function isFiltered({ server, tool, client }: ReportFilter): boolean {
  return server !== undefined || tool !== undefined || client !== '';
}

function clearFilters(): void {
  setQuery({ server: undefined, tool: undefined, client: undefined, page: undefined });
}
