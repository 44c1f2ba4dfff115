/** How it goes today: calls, success, times, and what fails. */
import { openQuickAdd } from '../../app/quick-add';
import { Button } from '../../ui/Button';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { FirstRun } from '../sign-in/FirstRun';
import { Failing } from './Failing';
import { Figures } from './Figures';
import { ServerDays } from './ServerDays';
import { useLiveReload, useOverview, useRound, useServersOfHome, useToolsSinceYesterday } from './use-home';
import './home.css';

export default function HomePage() {
  const overview = useOverview();
  if (overview.data?.total_servers === 0) return <FirstRun />;
  return (
    <>
      <PageHeader
        title="Home"
        actions={
          <Button variant="primary" icon="bolt" onClick={() => openQuickAdd()}>
            Quick add
          </Button>
        }
      />
      <div class="stack">
        {overview.error && (
          <LoadError title="The figures could not be loaded" error={overview.error} onRetry={overview.reload} />
        )}
        {(overview.data || overview.loading) && (
          <>
            <Figures overview={overview.data} />
            <Details overview={overview} />
          </>
        )}
      </div>
    </>
  );
}

function Details({ overview }: { overview: ReturnType<typeof useOverview> }) {
  const servers = useServersOfHome();
  const report = useToolsSinceYesterday();
  const [round, next] = useRound();
  useLiveReload(() => {
    overview.reload();
    report.reload();
    next();
  });
  return (
    <>
      {report.error && <LoadError title="The tools could not be loaded" error={report.error} onRetry={report.reload} />}
      {servers.error && (
        <LoadError title="The servers could not be loaded" error={servers.error} onRetry={servers.reload} />
      )}
      {(report.data || report.loading) && <Failing report={report.data} />}
      {(servers.data || servers.loading) && (
        <ServerDays
          servers={servers.data?.data}
          total={servers.data?.total ?? 0}
          tools={report.data?.tools ?? []}
          round={round}
        />
      )}
    </>
  );
}
