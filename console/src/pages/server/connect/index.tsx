/** How clients reach a server, and whether one did. */
import type { PageProps } from '../../../app/routes';
import { Empty } from '../../../ui/Empty';
import { ServerFrame } from '../ServerFrame';

export default function ConnectTab({ params }: PageProps<'/servers/:id/connect'>) {
  return (
    <ServerFrame serverId={params.id} tab="connect">
      {() => <Empty title="Connect">This page is on its way.</Empty>}
    </ServerFrame>
  );
}
