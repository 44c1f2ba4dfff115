/** Home: today's calls, success rate and response times, and failing tools. */
import { openQuickAdd } from '../../app/quick-add';
import { useMe } from '../../session/me';
import { Button } from '../../ui/Button';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { NoServers } from '../servers/NoServers';
import { OpenServers } from '../settings/OpenServers';
import { FirstRun } from '../sign-in/FirstRun';
import { FailingTools } from './FailingTools';
import { OverviewStats } from './OverviewStats';
import { ServerActivity } from './ServerActivity';
import {
  useHomeServers,
  useLiveReload,
  useOpenServers,
  useOverview,
  useReloadCounter,
  useToolsSinceYesterday,
} from './use-home';
import './home.css';

export default function HomePage() {
  const overview = useOverview();
  const me = useMe();
  if (overview.data?.total_servers === 0)
    return me?.may_write === false ? <NoServers filtered={false} onCreate={undefined} /> : <FirstRun />;
  return (
    <>
      <PageHeader
        title="Home"
        actions={
          me?.may_write && (
            <Button variant="primary" icon="bolt" onClick={() => openQuickAdd()}>
              Quick add
            </Button>
          )
        }
      />
      <div class="stack">
        {overview.error && (
          <LoadError title="Could not load the overview" error={overview.error} onRetry={overview.reload} />
        )}
        {(overview.data || overview.loading) && (
          <>
            <OverviewStats overview={overview.data} />
            <Details overview={overview} />
          </>
        )}
      </div>
    </>
  );
}

function Details({ overview }: { overview: ReturnType<typeof useOverview> }) {
  const servers = useHomeServers();
  const report = useToolsSinceYesterday();
  const openServers = useOpenServers();
  const [reloadCount, countReload] = useReloadCounter();
  useLiveReload(() => {
    overview.reload();
    report.reload();
    countReload();
  });
  return (
    <>
      {openServers.data && <OpenServers {...openServers.data} />}
      {report.error && <LoadError title="Could not load the tools" error={report.error} onRetry={report.reload} />}
      {servers.error && <LoadError title="Could not load the servers" error={servers.error} onRetry={servers.reload} />}
      {(report.data || report.loading) && <FailingTools report={report.data} />}
      {(servers.data || servers.loading) && (
        <ServerActivity
          servers={servers.data?.data}
          total={servers.data?.total ?? 0}
          tools={report.data?.tools ?? []}
          reloadCount={reloadCount}
        />
      )}
    </>
  );
}
