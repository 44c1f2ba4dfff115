/** The prompts of a server. */
import { get } from '../../../api/client';
import type { PageProps } from '../../../app/routes';
import { plural } from '../../../logic/format';
import { Badge } from '../../../ui/Badge';
import { ItemsTab } from '../ItemsTab';
import { PromptEditor } from './PromptEditor';

export default function PromptsTab({ params }: PageProps<'/servers/:id/prompts'>) {
  const path = { server_id: params.id };
  return (
    <ItemsTab
      serverId={params.id}
      noun="prompt"
      load={async (signal) => (await get('/servers/{server_id}/prompts', { path, signal })).data}
      textOf={({ name, description }) => `${name}\n${description}`}
      renderSummary={(prompt) => (
        <>
          <span class="items-text">
            <bdi class="items-name truncate">{prompt.name}</bdi>
            <bdi class="items-more-text truncate">{prompt.description || prompt.template_content || 'Messages'}</bdi>
          </span>
          <Badge>{plural(prompt.arguments.length, 'argument')}</Badge>
        </>
      )}
      renderEditor={(prompt, server, onChanged) => (
        <PromptEditor key={prompt?.id} serverId={server.id} prompt={prompt} onChanged={onChanged} />
      )}
    >
      A prompt is a text template that users choose in their client, often as a slash command. Write{' '}
      <code>{'{{city}}'}</code> for a value to fill in.
    </ItemsTab>
  );
}
