/** Who may use a server: its kind of access and its keys. */
import type { PageProps } from '../../../app/routes';
import { Empty } from '../../../ui/Empty';
import { ServerFrame } from '../ServerFrame';

export default function AccessTab({ params }: PageProps<'/servers/:id/access'>) {
  return (
    <ServerFrame serverId={params.id} tab="access">
      {() => <Empty title="Access">This page is on its way.</Empty>}
    </ServerFrame>
  );
}
