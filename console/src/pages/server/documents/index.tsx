/** The documents that tools of a server were imported from. */
import type { PageProps } from '../../../app/routes';
import { Button } from '../../../ui/Button';
import { ServerFrame } from '../ServerFrame';
import { DocumentsCard } from './DocumentsCard';
import './documents.css';

export default function DocumentsTab({ params }: PageProps<'/servers/:id/documents'>) {
  const actions = (
    <Button variant="primary" icon="download" href={`/servers/${params.id}/import`}>
      Import an API
    </Button>
  );
  return (
    <ServerFrame serverId={params.id} tab="documents" actions={actions}>
      {(server, query, { edit }) => <DocumentsCard serverId={server.id} canEdit={edit} onTools={query.reload} />}
    </ServerFrame>
  );
}
