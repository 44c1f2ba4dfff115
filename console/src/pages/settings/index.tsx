/** Settings of the service, read-only: they are set when the service starts. */
import { get } from '../../api/client';
import type { Settings } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { Callout } from '../../ui/Callout';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { AllowedDestinationsCard } from './AllowedDestinationsCard';
import { DemoCard } from './DemoCard';
import { LimitsCard } from './LimitsCard';
import { NodesCard } from './NodesCard';
import { OpenServers } from './OpenServers';
import { RecordingCard } from './RecordingCard';
import { ServiceCard } from './ServiceCard';
import './settings.css';

export default function SettingsPage() {
  const settings = useQuery((signal) => get('/settings', { signal }), []);
  const notAllowed = settings.error?.status === 403;
  return (
    <>
      <PageHeader
        title="Settings"
        description="The configuration of this service. To change it, edit the flags, environment variables or configuration file, and restart."
      />
      {notAllowed && (
        <Callout title="Only administrators can view the settings">
          Your key does not have access to the service's configuration. The settings of your servers are on their pages.
        </Callout>
      )}
      {settings.error && !notAllowed && (
        <LoadError title="Could not load the settings" error={settings.error} onRetry={settings.reload} />
      )}
      {settings.loading && !settings.error && <Skeleton lines={8} height="24px" />}
      {settings.data && <Cards settings={settings.data.data} onChanged={settings.reload} />}
    </>
  );
}

function Cards({ settings, onChanged }: { settings: Settings; onChanged: () => void }) {
  return (
    <div class="settings-cards">
      {settings.open_server_count !== 0 && (
        <div class="settings-wide">
          <OpenServers {...settings} />
        </div>
      )}
      <div class="stack">
        <ServiceCard settings={settings} />
        <AllowedDestinationsCard rules={settings.upstream_allow} />
      </div>
      <div class="stack">
        <RecordingCard settings={settings} />
        <DemoCard serverId={settings.demo_server_id} onAdded={onChanged} />
      </div>
      <div class="settings-wide">
        <NodesCard />
      </div>
      <div class="settings-wide">
        <LimitsCard limits={settings.limits} />
      </div>
    </div>
  );
}
