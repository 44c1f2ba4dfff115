/** The audit log: who changed what. */
import { get } from '../../api/client';
import type { AuditEntry } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { currentQuery } from '../../app/router';
import { auditKeyName, changeLabel, hasAuditFilter, readAuditFilter } from '../../logic/audit';
import { readPage } from '../../logic/page';
import { Empty } from '../../ui/Empty';
import { PagedTable } from '../../ui/PagedTable';
import { PageHeader } from '../../ui/PageHeader';
import type { Column } from '../../ui/Table';
import { Time } from '../../ui/Time';
import { AuditFilters } from './AuditFilters';
import './audit.css';

export default function AuditPage() {
  const page = readPage(currentQuery.value);
  const filter = readAuditFilter(currentQuery.value);
  const entries = useQuery(
    (signal) => get('/audit', { query: { ...filter, page, per_page: 20 }, signal }),
    [page, JSON.stringify(filter)],
  );
  return (
    <>
      <PageHeader
        title="Audit"
        description="Who changed what. The log has the names of changed fields, not their values. Changes of access to a server also say whose access changed."
      />
      <AuditFilters filter={filter} />
      <PagedTable
        label="Changes"
        noun="changes"
        query={entries}
        page={page}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<NoEntries isFiltered={hasAuditFilter(filter)} />}
      />
    </>
  );
}

const columns: Column<AuditEntry>[] = [
  {
    id: 'time',
    label: 'Time',
    render: ({ time }) => (
      <span class="audit-time">
        <Time value={time} />
      </span>
    ),
  },
  { id: 'user', label: 'By', render: (entry) => <AuthorCell entry={entry} /> },
  { id: 'change', label: 'Change', grow: true, render: (entry) => <ChangeCell entry={entry} /> },
  {
    id: 'fields',
    label: 'Fields',
    wideOnly: true,
    render: ({ fields }) => <span class="audit-fields muted">{fields.join(', ')}</span>,
  },
];

/** The user, and the API key if there is one; changes without a user come from the service or its command line. */
function AuthorCell({ entry }: { entry: AuditEntry }) {
  const key = auditKeyName(entry);
  if (entry.user_id === null) return <span class="muted">service</span>;
  return (
    <div class="audit-cell audit-author">
      <bdi class="truncate">{entry.user_name ?? `User ${entry.user_id}`}</bdi>
      {key === undefined ? (
        <span class="muted">without a key</span>
      ) : (
        <span class="muted truncate">
          key <bdi>{key}</bdi>
        </span>
      )}
    </div>
  );
}

function ChangeCell({ entry }: { entry: AuditEntry }) {
  return (
    <div class="audit-cell">
      <bdi class="truncate">{entry.object_name ?? `${entry.object_id}`}</bdi>
      <span class="muted">
        {changeLabel(entry)} {entry.object_id}
      </span>
    </div>
  );
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No matching changes">Clear a filter to see more changes.</Empty>;
  return (
    <Empty title="No changes yet">
      Changes to servers and their tools, prompts, resources, keys and members appear here.
    </Empty>
  );
}
