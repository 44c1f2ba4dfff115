import { toApiError } from '../../../api/errors';
import type { ApiDocument } from '../../../api/types';
import { Link } from '../../../app/Link';
import { formatLabel } from '../../../logic/api-import';
import { isDownloadable } from '../../../logic/document-form';
import { plural } from '../../../logic/format';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { ExternalLink } from '../../../ui/ExternalLink';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/Toast';
import { downloadDocument } from './download-document';

export function DocumentFacts({ document }: { document: ApiDocument }) {
  const { name, title, url, revision, tools_count, server_id, updated_at } = document;
  const download = async () => {
    try {
      await downloadDocument(document);
    } catch (cause) {
      toast(toApiError(cause).message, { tone: 'bad' });
    }
  };
  return (
    <section class="card" aria-label="Document">
      <div class="card-head">
        <div class="grow">
          <Link class="small" href={`/servers/${server_id}/documents`}>
            All documents
          </Link>
          <h2 class="documents-title">
            <bdi>{name}</bdi>
          </h2>
          <p class="row small documents-facts">
            <Badge tone="accent">{formatLabel(document)}</Badge>
            {title !== '' && title !== name && <span>{title}</span>}
            <span>Revision {revision}</span>
            <span>{plural(tools_count, 'tool')}</span>
            <span class="muted">
              updated <Time value={updated_at} />
            </span>
          </p>
          <p class="muted small documents-url">
            {url === null ? 'Uploaded as a file or text' : <ExternalLink href={url} />}
          </p>
        </div>
        {isDownloadable(document) ? (
          <Button size="small" icon="download" onClick={() => void download()}>
            Download
          </Button>
        ) : (
          <span class="muted small">May contain credentials, so it cannot be downloaded.</span>
        )}
      </div>
    </section>
  );
}
