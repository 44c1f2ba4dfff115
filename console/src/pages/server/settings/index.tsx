/** Settings of a server. */
import type { PageProps } from '../../../app/routes';
import { ServerFrame } from '../ServerFrame';
import { DangerZone } from './DangerZone';
import { SettingsForm } from './SettingsForm';
import './settings.css';

export default function SettingsTab({ params }: PageProps<'/servers/:id/settings'>) {
  return (
    <ServerFrame serverId={params.id} tab="settings">
      {(server, query) => (
        <div class="stack server-settings">
          <SettingsForm server={server} onServer={query.set} />
          <DangerZone server={server} onServer={query.set} />
        </div>
      )}
    </ServerFrame>
  );
}
