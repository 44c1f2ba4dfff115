/** List of the documents of a server. */
import { useState } from 'preact/hooks';
import { get } from '../../../api/client';
import { toApiError } from '../../../api/errors';
import type { ApiDocument } from '../../../api/types';
import { useQuery } from '../../../api/use-query';
import { Link } from '../../../app/Link';
import { navigate } from '../../../app/router';
import { formatLabel } from '../../../logic/api-import';
import { isDownloadable } from '../../../logic/document-form';
import { Button } from '../../../ui/Button';
import { Empty } from '../../../ui/Empty';
import { ExternalLink } from '../../../ui/ExternalLink';
import { LoadError } from '../../../ui/LoadError';
import { Menu } from '../../../ui/Menu';
import { type Column, Table } from '../../../ui/Table';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/Toast';
import { DeleteDocumentDialog } from './DeleteDocumentDialog';
import { downloadDocument } from './download-document';
import { EditDocumentDialog } from './EditDocumentDialog';

export interface DocumentsCardProps {
  serverId: number;
  canEdit: boolean;
  /** Called when tools were changed or deleted. */
  onTools: () => void;
}

export function DocumentsCard({ serverId, canEdit, onTools }: DocumentsCardProps) {
  const [editing, setEditing] = useState<ApiDocument>();
  const [deleting, setDeleting] = useState<ApiDocument>();
  const documents = useQuery(
    async (signal) =>
      (await get('/servers/{server_id}/documents', { path: { server_id: serverId }, query: { per_page: 100 }, signal }))
        .data,
    [serverId],
  );
  const onChanged = () => {
    documents.reload();
    onTools();
  };
  const actions = { canEdit, onEdit: setEditing, onDelete: setDeleting };
  return (
    <>
      {documents.error && (
        <LoadError title="Could not load the documents" error={documents.error} onRetry={documents.reload} />
      )}
      {(documents.data || documents.loading) && (
        <Table
          label="Documents"
          columns={columns(actions)}
          rows={documents.data}
          rowKey={({ id }) => id}
          skeletonRows={2}
          empty={<NoDocuments serverId={serverId} canEdit={canEdit} />}
        />
      )}
      {editing && (
        <EditDocumentDialog saved={editing} onSaved={documents.reload} onClose={() => setEditing(undefined)} />
      )}
      {deleting && (
        <DeleteDocumentDialog document={deleting} onDeleted={onChanged} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
}

function NoDocuments({ serverId, canEdit }: { serverId: number; canEdit: boolean }) {
  return (
    <Empty
      icon="resource"
      title="No documents yet"
      action={canEdit && <Button href={`/servers/${serverId}/import`}>Import an API</Button>}
    >
      A document is stored here when you import tools from it, so that you can compare them with a newer version.
    </Empty>
  );
}

interface DocumentActions {
  canEdit: boolean;
  onEdit: (document: ApiDocument) => void;
  onDelete: (document: ApiDocument) => void;
}

function columns(actions: DocumentActions): Column<ApiDocument>[] {
  return [
    {
      id: 'name',
      label: 'Name',
      grow: true,
      render: (document) => <NameCell document={document} />,
    },
    {
      id: 'format',
      label: 'Format',
      wideOnly: true,
      render: (document) => <span class="documents-format">{formatLabel(document)}</span>,
    },
    {
      id: 'tools',
      label: 'Tools',
      align: 'end',
      render: ({ tools_count, server_id }) => <Link href={`/servers/${server_id}/tools`}>{tools_count}</Link>,
    },
    { id: 'revision', label: 'Revision', align: 'end', wideOnly: true, render: ({ revision }) => revision },
    { id: 'updated', label: 'Updated', wideOnly: true, render: ({ updated_at }) => <Time value={updated_at} /> },
    {
      id: 'actions',
      label: 'Actions',
      hideLabel: true,
      align: 'end',
      render: (document) => <RowActions document={document} {...actions} />,
    },
  ];
}

function NameCell({ document }: { document: ApiDocument }) {
  const { id, server_id, name, title, url } = document;
  return (
    <div class="documents-name">
      <p class="truncate" title={name}>
        <Link href={`/servers/${server_id}/documents/${id}`}>
          <bdi>{name}</bdi>
        </Link>
        {title !== '' && title !== name && <span class="muted"> {title}</span>}
      </p>
      <p class="muted small truncate">{url === null ? 'Uploaded as a file or text' : <ExternalLink href={url} />}</p>
    </div>
  );
}

function RowActions({ document, canEdit, onEdit, onDelete }: DocumentActions & { document: ApiDocument }) {
  const download = async () => {
    try {
      await downloadDocument(document);
    } catch (cause) {
      toast(toApiError(cause).message, { tone: 'bad' });
    }
  };
  if (!canEdit) {
    if (!isDownloadable(document)) return null;
    return (
      <Button size="small" icon="download" onClick={() => void download()}>
        Download<span class="visually-hidden"> {document.name}</span>
      </Button>
    );
  }
  return (
    <span class="documents-actions">
      <Menu
        label={`Actions for ${document.name}`}
        items={[
          {
            label: 'Refresh',
            icon: 'refresh',
            onSelect: () => void navigate(`/servers/${document.server_id}/documents/${document.id}`),
          },
          { label: 'Download', icon: 'download', disabled: !isDownloadable(document), onSelect: () => void download() },
          { label: 'Edit', icon: 'edit', onSelect: () => onEdit(document) },
          { label: 'Delete…', icon: 'trash', tone: 'bad', onSelect: () => onDelete(document) },
        ]}
      />
    </span>
  );
}
