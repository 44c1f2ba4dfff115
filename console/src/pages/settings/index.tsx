/** How the service is set up. Most of it is set where the service is started; here it is shown and explained. */
import { get } from '../../api/client';
import type { Settings } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { Callout } from '../../ui/Callout';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { DemoCard } from './DemoCard';
import { EgressCard } from './EgressCard';
import { LimitsCard } from './LimitsCard';
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
        description="How this service was started. Settings are changed by flags, environment variables or the configuration file, and a restart."
      />
      {notAllowed && (
        <Callout title="Administrators see the settings">
          Your key works well, but how the service is set up is for its administrators. Everything about your own
          servers is on their pages.
        </Callout>
      )}
      {settings.error && !notAllowed && (
        <LoadError title="The settings could not be loaded" error={settings.error} onRetry={settings.reload} />
      )}
      {settings.loading && !settings.error && <Skeleton lines={8} height="24px" />}
      {settings.data && <Cards settings={settings.data.data} onChanged={settings.reload} />}
    </>
  );
}

function Cards({ settings, onChanged }: { settings: Settings; onChanged: () => void }) {
  return (
    <div class="settings-cards">
      <div class="stack">
        <ServiceCard settings={settings} />
        <EgressCard rules={settings.upstream_allow} />
      </div>
      <div class="stack">
        <RecordingCard settings={settings} />
        <DemoCard serverId={settings.demo_server_id} onAdded={onChanged} />
      </div>
      <div class="settings-wide">
        <LimitsCard limits={settings.limits} />
      </div>
    </div>
  );
}
