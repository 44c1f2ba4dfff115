/** Name, description and limits of a server, and how to be rid of it. */
import type { PageProps } from '../../../app/routes';
import { Empty } from '../../../ui/Empty';
import { ServerFrame } from '../ServerFrame';

export default function SettingsTab({ params }: PageProps<'/servers/:id/settings'>) {
  return (
    <ServerFrame serverId={params.id} tab="settings">
      {() => <Empty title="Settings">This page is on its way.</Empty>}
    </ServerFrame>
  );
}
