/** The resources of a server. */
import { get } from '../../../api/client';
import type { PageProps } from '../../../app/routes';
import { Badge } from '../../../ui/Badge';
import { ItemsTab } from '../ItemsTab';
import { ResourceEditor } from './ResourceEditor';
import { sourceLabel } from './sources';

export default function ResourcesTab({ params }: PageProps<'/servers/:id/resources'>) {
  const path = { server_id: params.id };
  return (
    <ItemsTab
      serverId={params.id}
      noun="resource"
      load={async (signal) => (await get('/servers/{server_id}/resources', { path, signal })).data}
      textOf={({ name, uri, description }) => `${name}\n${uri}\n${description}`}
      renderSummary={(resource) => (
        <>
          <span class="items-text">
            <bdi class="items-name truncate">{resource.name}</bdi>
            <code class="items-more-text truncate">{resource.template_uri ?? resource.uri}</code>
          </span>
          <Badge>{sourceLabel(resource.data_source_type)}</Badge>
        </>
      )}
      renderEditor={(resource, server, onChanged) => (
        <ResourceEditor key={resource?.id} server={server} resource={resource} onChanged={onChanged} />
      )}
    >
      A resource is content that clients can read: text that you write here, the response of a URL, posts of a WordPress
      site, or the result of one of your tools.
    </ItemsTab>
  );
}
