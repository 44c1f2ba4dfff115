/** Page: one document, and the comparison of its tools with another version. */
import { get } from '../../../api/client';
import { useQuery } from '../../../api/use-query';
import type { PageProps } from '../../../app/routes';
import { LoadError } from '../../../ui/LoadError';
import { Skeleton } from '../../../ui/Skeleton';
import { ServerFrame } from '../ServerFrame';
import { DocumentFacts } from './DocumentFacts';
import { RefreshPanel } from './RefreshPanel';
import './documents.css';

export default function DocumentPage({ params }: PageProps<'/servers/:id/documents/:document'>) {
  const id = params.document;
  const document = useQuery(async (signal) => (await get('/documents/{id}', { path: { id }, signal })).data, [id]);
  return (
    <ServerFrame serverId={params.id} tab="documents">
      {(server, query, { edit }) => (
        <>
          {document.error && (
            <LoadError title="Could not load the document" error={document.error} onRetry={document.reload} />
          )}
          {document.loading && <Skeleton lines={4} />}
          {document.data && <DocumentFacts document={document.data} />}
          {document.data && edit && (
            <RefreshPanel
              serverId={server.id}
              document={document.data}
              onRefreshed={() => {
                document.reload();
                query.reload();
              }}
            />
          )}
        </>
      )}
    </ServerFrame>
  );
}
