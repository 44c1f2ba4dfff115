/** Settings of a server. */
import type { PageProps } from '../../../app/routes';
import { ServerFrame } from '../ServerFrame';
import { ServerActionsCard } from './ServerActionsCard';
import { SettingsForm } from './SettingsForm';
import './settings.css';

export default function SettingsTab({ params }: PageProps<'/servers/:id/settings'>) {
  return (
    <ServerFrame serverId={params.id} tab="settings">
      {(server, query, rights) => (
        <div class="stack server-settings">
          {rights.edit && <SettingsForm server={server} onServer={query.set} />}
          {rights.edit && <ServerActionsCard server={server} rights={rights} onServer={query.set} />}
        </div>
      )}
    </ServerFrame>
  );
}
