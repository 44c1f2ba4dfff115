/** The tools of a server, in their order. */
import type { PageProps } from '../../../app/routes';
import { Empty } from '../../../ui/Empty';
import { ServerFrame } from '../ServerFrame';

export default function ToolsTab({ params }: PageProps<'/servers/:id/tools'>) {
  return (
    <ServerFrame serverId={params.id} tab="tools">
      {() => <Empty title="Tools">This page is on its way.</Empty>}
    </ServerFrame>
  );
}
