/** Import: turns the operations of an API document into tools. */
import type { PageProps } from '../../../app/routes';
import { Empty } from '../../../ui/Empty';
import { ServerFrame } from '../ServerFrame';
import { ImportPanel } from './ImportPanel';
import './import.css';

export default function ImportTab({ params }: PageProps<'/servers/:id/import'>) {
  return (
    <ServerFrame serverId={params.id} tab="import">
      {(server, query, { edit, viewOnly }) =>
        viewOnly ? (
          <Empty icon="download" title="Import an API">
            Editors of this server can create tools from an OpenAPI, Swagger, Postman or HAR file here.
          </Empty>
        ) : (
          edit && <ImportPanel serverId={server.id} onImported={query.reload} />
        )
      }
    </ServerFrame>
  );
}
