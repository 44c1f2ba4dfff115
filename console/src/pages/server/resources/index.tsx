/** The resources of a server. */
import type { PageProps } from '../../../app/routes';
import { Empty } from '../../../ui/Empty';
import { ServerFrame } from '../ServerFrame';

export default function ResourcesTab({ params }: PageProps<'/servers/:id/resources'>) {
  return (
    <ServerFrame serverId={params.id} tab="resources">
      {() => <Empty title="Resources">This page is on its way.</Empty>}
    </ServerFrame>
  );
}
