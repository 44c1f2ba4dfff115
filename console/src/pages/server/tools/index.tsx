/** The tools of a server, in the order in which clients list them. */
import type { Server, ServerLint } from '../../../api/types';
import type { Query } from '../../../api/use-query';
import type { PageProps } from '../../../app/routes';
import { Button } from '../../../ui/Button';
import { ServerFrame } from '../ServerFrame';
import { Findings } from './Findings';
import { ListCost } from './ListCost';
import { ToolsPanel } from './ToolsPanel';
import { useLint } from './use-lint';
import { useTools } from './use-tools';

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
        <ToolsContent server={server} reloadServer={query.reload} lint={lint} canEdit={edit} />
      )}
    </ServerFrame>
  );
}

interface ToolsContentProps {
  server: Server;
  reloadServer: () => void;
  lint: Query<ServerLint>;
  canEdit: boolean;
}

function ToolsContent({ server, reloadServer, lint, canEdit }: ToolsContentProps) {
  const reload = () => {
    reloadServer();
    lint.reload();
  };
  const tools = useTools(server.id, reload);
  const nameOf = (toolId: number) => tools.all?.find(({ id }) => id === toolId)?.name ?? 'Open the tool';
  return (
    <>
      {lint.data && (
        <Findings
          serverId={server.id}
          lint={lint.data}
          canEdit={canEdit}
          nameOf={nameOf}
          onChanged={() => {
            tools.reload();
            reload();
          }}
        />
      )}
      <ToolsPanel server={server} tools={tools} canEdit={canEdit} />
    </>
  );
}
