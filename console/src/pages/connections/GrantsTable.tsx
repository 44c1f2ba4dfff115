/** The access that people gave to apps (OAuth clients), with a button that ends it. */
import { useState } from 'preact/hooks';
import type { ApiResponse } from '../../api/client';
import type { Grant } from '../../api/types';
import type { Query } from '../../api/use-query';
import { clientKinds, isClientKind, kindDetail, redirectTarget, scopeLabel } from '../../logic/grants';
import { Button } from '../../ui/Button';
import { Confirm } from '../../ui/Confirm';
import { PagedTable, type PagedTableProps } from '../../ui/PagedTable';
import type { Column } from '../../ui/Table';
import { Time } from '../../ui/Time';
import { toast } from '../../ui/Toast';
import './GrantsTable.css';

export interface GrantsTableProps extends Pick<PagedTableProps<Grant>, 'empty' | 'label' | 'page'> {
  query: Query<ApiResponse<Grant[]>>;
  /** `person`: the grants of one server, by user. `server`: the grants of the signed-in user, by server. */
  by: 'person' | 'server';
  onEnd: (grant: Grant) => Promise<unknown>;
}

export function GrantsTable({ query, by, onEnd, ...table }: GrantsTableProps) {
  const [ending, setEnding] = useState<Grant>();
  return (
    <>
      <PagedTable
        {...table}
        noun="connections"
        query={query}
        columns={columns(by, setEnding)}
        rowKey={({ id }) => id}
        skeletonRows={3}
      />
      {ending && (
        <Confirm
          title="End access"
          action="End access"
          onClose={() => setEnding(undefined)}
          onConfirm={async () => {
            await onEnd(ending);
            query.reload();
            toast(`Ended the access of “${ending.client_name}”.`);
          }}
        >
          “<bdi class="grants-name">{ending.client_name}</bdi>” can no longer use{' '}
          <strong class="grants-name">{ending.server_name}</strong> for{' '}
          <strong class="grants-name">{by === 'server' ? 'you' : ending.user_name}</strong>. Its next request is
          refused. {by === 'server' ? 'You' : 'The person'} can connect it again.
        </Confirm>
      )}
    </>
  );
}

function columns(by: GrantsTableProps['by'], onEnd: (grant: Grant) => void): Column<Grant>[] {
  return [
    { id: 'app', label: 'App', grow: true, render: (grant) => <AppCell grant={grant} by={by} /> },
    {
      id: by,
      label: by === 'person' ? 'Person' : 'Server',
      wideOnly: true,
      render: (grant) => <bdi class="grants-subject truncate">{subjectOf(grant, by)}</bdi>,
    },
    {
      id: 'scopes',
      label: 'Access',
      wideOnly: true,
      render: ({ scopes }) => <span class="grants-time">{scopeLabel(scopes)}</span>,
    },
    { id: 'since', label: 'Since', wideOnly: true, render: ({ created_at }) => <TimeCell value={created_at} /> },
    { id: 'used', label: 'Last used', wideOnly: true, render: ({ last_used_at }) => <TimeCell value={last_used_at} /> },
    { id: 'expires', label: 'Expires', wideOnly: true, render: ({ expires_at }) => <TimeCell value={expires_at} /> },
    {
      id: 'end',
      label: 'End access',
      hideLabel: true,
      align: 'end',
      render: (grant) => (
        <Button size="small" onClick={() => onEnd(grant)}>
          End access<span class="visually-hidden"> of {grant.client_name}</span>
        </Button>
      ),
    },
  ];
}

function subjectOf({ user_name, server_name }: Grant, by: GrantsTableProps['by']): string {
  return by === 'person' ? user_name : server_name;
}

/** The name is in quotes, because the app chose it; the lines below say what is verified. */
function AppCell({ grant, by }: { grant: Grant; by: GrantsTableProps['by'] }) {
  const { client_name, client_kind, redirect_host, last_used_at } = grant;
  return (
    <div class="grants-app">
      <p class="grants-title truncate" title={client_name}>
        “<bdi>{client_name}</bdi>”
      </p>
      <p class="grants-detail grants-narrow">
        <bdi>{subjectOf(grant, by)}</bdi> · {scopeLabel(grant.scopes)} · used{' '}
        {last_used_at === null ? 'never' : <Time value={last_used_at} />} · expires <Time value={grant.expires_at} />
      </p>
      <p class="grants-detail" title={isClientKind(client_kind) ? clientKinds[client_kind].text : undefined}>
        {kindDetail(grant)}
      </p>
      <p class="grants-detail">
        redirects to <bdi>{redirectTarget(redirect_host, by === 'server')}</bdi>
      </p>
    </div>
  );
}

function TimeCell({ value }: { value: string | null }) {
  return <span class="grants-time">{value === null ? 'never' : <Time value={value} />}</span>;
}
