/** The prompts of a server. */
import { get } from '../../../api/client';
import type { Prompt, Server } from '../../../api/types';
import { useQuery } from '../../../api/use-query';
import { currentQuery } from '../../../app/router';
import type { PageProps } from '../../../app/routes';
import { plural } from '../../../logic/format';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Empty } from '../../../ui/Empty';
import { LoadError } from '../../../ui/LoadError';
import { Skeleton } from '../../../ui/Skeleton';
import { ItemList, openItem } from '../ItemList';
import { ServerFrame } from '../ServerFrame';
import { PromptEditor } from './PromptEditor';

export default function PromptsTab({ params }: PageProps<'/servers/:id/prompts'>) {
  const actions = (
    <Button variant="primary" icon="plus" onClick={() => openItem('new')}>
      New prompt
    </Button>
  );
  return (
    <ServerFrame serverId={params.id} tab="prompts" actions={actions}>
      {(server) => <Prompts server={server} />}
    </ServerFrame>
  );
}

function Prompts({ server }: { server: Server }) {
  const prompts = useQuery(
    async (signal) => (await get('/servers/{server_id}/prompts', { path: { server_id: server.id }, signal })).data,
    [server.id],
  );
  const creating = currentQuery.value.get('open') === 'new';
  if (!prompts.data) {
    return prompts.error ? (
      <LoadError title="Could not load the prompts" error={prompts.error} onRetry={prompts.reload} />
    ) : (
      <Skeleton lines={4} height="20px" />
    );
  }
  if (prompts.data.length === 0 && !creating) return <NoPrompts />;
  return (
    <ItemList
      noun="prompts"
      items={prompts.data}
      textOf={({ name, description }) => `${name}\n${description}`}
      renderSummary={(prompt) => <Summary prompt={prompt} />}
      renderEditor={(prompt) => (
        <PromptEditor key={prompt?.id} serverId={server.id} prompt={prompt} onChanged={prompts.reload} />
      )}
    />
  );
}

function Summary({ prompt }: { prompt: Prompt }) {
  return (
    <>
      <span class="items-text">
        <bdi class="items-name truncate">{prompt.name}</bdi>
        <bdi class="items-more-text truncate">{prompt.description || prompt.template_content || 'Messages'}</bdi>
      </span>
      <Badge>{plural(prompt.arguments.length, 'argument')}</Badge>
    </>
  );
}

function NoPrompts() {
  return (
    <Empty
      icon="prompt"
      title="No prompts yet"
      action={
        <Button variant="primary" icon="plus" onClick={() => openItem('new')}>
          New prompt
        </Button>
      }
    >
      A prompt is a text template that users choose in their client, often as a slash command. Write{' '}
      <code>{'{{city}}'}</code> for a value to fill in.
    </Empty>
  );
}
