/** The prompts of a server. */
import type { PageProps } from '../../../app/routes';
import { Empty } from '../../../ui/Empty';
import { ServerFrame } from '../ServerFrame';

export default function PromptsTab({ params }: PageProps<'/servers/:id/prompts'>) {
  return (
    <ServerFrame serverId={params.id} tab="prompts">
      {() => <Empty title="Prompts">This page is on its way.</Empty>}
    </ServerFrame>
  );
}
