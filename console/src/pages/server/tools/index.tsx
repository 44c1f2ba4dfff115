/** The tools of a server, in the order in which clients list them. */
import type { PageProps } from '../../../app/routes';
import { Button } from '../../../ui/Button';
import { ServerFrame } from '../ServerFrame';
import { Findings } from './Findings';
import { ListCost } from './ListCost';
import { ToolsPanel } from './ToolsPanel';
import { useLint } from './use-lint';

export default function ToolsTab({ params }: PageProps<'/servers/:id/tools'>) {
  const lint = useLint(params.id);
  const actions = (
    <>
      <Button icon="download" href={`/servers/${params.id}/import`}>
        Import an API
      </Button>
      <Button icon="bolt" href={`/quick-add?server=${params.id}`}>
        Paste a curl command
      </Button>
      <Button variant="primary" icon="plus" href={`/servers/${params.id}/tools/new`}>
        New tool
      </Button>
    </>
  );
  return (
    <ServerFrame serverId={params.id} tab="tools" actions={actions} note={lint.data && <ListCost lint={lint.data} />}>
      {(server, query, { edit }) => (
        <>
          {lint.data && <Findings serverId={server.id} findings={lint.data.findings} />}
          <ToolsPanel
            server={server}
            canEdit={edit}
            onCount={() => {
              query.reload();
              lint.reload();
            }}
          />
        </>
      )}
    </ServerFrame>
  );
}
