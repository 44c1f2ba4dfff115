/** The resources of a server. */
import { get } from '../../../api/client';
import type { Resource, Server } from '../../../api/types';
import { useQuery } from '../../../api/use-query';
import { currentQuery } from '../../../app/router';
import type { PageProps } from '../../../app/routes';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Empty } from '../../../ui/Empty';
import { LoadError } from '../../../ui/LoadError';
import { Skeleton } from '../../../ui/Skeleton';
import { ItemList, openItem } from '../ItemList';
import { ServerFrame } from '../ServerFrame';
import { ResourceEditor } from './ResourceEditor';
import { sourceLabel } from './sources';

export default function ResourcesTab({ params }: PageProps<'/servers/:id/resources'>) {
  const actions = (
    <Button variant="primary" icon="plus" onClick={() => openItem('new')}>
      New resource
    </Button>
  );
  return (
    <ServerFrame serverId={params.id} tab="resources" actions={actions}>
      {(server) => <Resources server={server} />}
    </ServerFrame>
  );
}

function Resources({ server }: { server: Server }) {
  const resources = useQuery(
    async (signal) => (await get('/servers/{server_id}/resources', { path: { server_id: server.id }, signal })).data,
    [server.id],
  );
  const creating = currentQuery.value.get('open') === 'new';
  if (!resources.data) {
    return resources.error ? (
      <LoadError title="Could not load the resources" error={resources.error} onRetry={resources.reload} />
    ) : (
      <Skeleton lines={4} height="20px" />
    );
  }
  if (resources.data.length === 0 && !creating) return <NoResources />;
  return (
    <ItemList
      noun="resources"
      items={resources.data}
      textOf={({ name, uri, description }) => `${name}\n${uri}\n${description}`}
      renderSummary={(resource) => <Summary resource={resource} />}
      renderEditor={(resource) => (
        <ResourceEditor key={resource?.id} server={server} resource={resource} onChanged={resources.reload} />
      )}
    />
  );
}

function Summary({ resource }: { resource: Resource }) {
  return (
    <>
      <span class="items-text">
        <bdi class="items-name truncate">{resource.name}</bdi>
        <code class="items-more-text truncate">{resource.template_uri ?? resource.uri}</code>
      </span>
      <Badge>{sourceLabel(resource.data_source_type)}</Badge>
    </>
  );
}

function NoResources() {
  return (
    <Empty
      icon="resource"
      title="No resources yet"
      action={
        <Button variant="primary" icon="plus" onClick={() => openItem('new')}>
          New resource
        </Button>
      }
    >
      A resource is content that clients can read: text that you write here, the response of a URL, posts of a WordPress
      site, or the result of one of your tools.
    </Empty>
  );
}
