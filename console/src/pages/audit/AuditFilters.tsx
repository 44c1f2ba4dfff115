import { get } from '../../api/client';
import { useQuery } from '../../api/use-query';
import { setQuery } from '../../app/router';
import { type AuditFilter, auditActions, auditKinds, hasAuditFilter } from '../../logic/audit';
import { Button } from '../../ui/Button';
import { PeriodFilter } from '../../ui/PeriodFilter';
import { QueryFilters, ServerFilter } from '../../ui/QueryFilters';
import { Select } from '../../ui/Select';

export function AuditFilters({ filter }: { filter: AuditFilter }) {
  return (
    <QueryFilters>
      <UserFilter user={filter.user} />
      <ServerFilter server={filter.server} />
      <Select
        label="Kind of object"
        hideLabel
        value={filter.object_kind}
        options={auditKinds}
        onValue={(object_kind) => setQuery({ object_kind, object_id: undefined, page: undefined })}
      />
      <Select
        label="Type of change"
        hideLabel
        value={filter.action}
        options={auditActions}
        onValue={(action) => setQuery({ action, page: undefined })}
      />
      <PeriodFilter from={filter.from} to={filter.to} />
      {hasAuditFilter(filter) && (
        <Button variant="ghost" icon="close" onClick={clearFilters}>
          Clear
        </Button>
      )}
    </QueryFilters>
  );
}

/** Only administrators can list users. */
function UserFilter({ user }: { user: number | undefined }) {
  const users = useQuery(async (signal) => {
    const { data: me } = await get('/me', { signal });
    if (!me.may_administer) return [];
    const { data } = await get('/users', { query: { per_page: 100 }, signal });
    return data;
  }, []);
  const listedOptions = users.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  if (listedOptions.length === 0 && user === undefined) return null;
  const isMissing = user !== undefined && listedOptions.every(({ value }) => value !== String(user));
  return (
    <Select
      label="User"
      hideLabel
      value={String(user ?? '')}
      options={[
        { value: '', label: 'All users' },
        ...listedOptions,
        ...(isMissing ? [{ value: String(user), label: `User ${user}` }] : []),
      ]}
      onValue={(id) => setQuery({ user: id, page: undefined })}
    />
  );
}

function clearFilters(): void {
  setQuery({
    user: undefined,
    server: undefined,
    object_kind: undefined,
    object_id: undefined,
    action: undefined,
    from: undefined,
    to: undefined,
    page: undefined,
  });
}
