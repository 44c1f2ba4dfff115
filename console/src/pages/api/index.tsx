/** API reference, rendered from the service's OpenAPI document. */
import { useMemo } from 'preact/hooks';
import { apiBase, send } from '../../api/client';
import { useQuery } from '../../api/use-query';
import { currentQuery, setQuery } from '../../app/router';
import { plural } from '../../logic/format';
import { type ApiGroup, groupOperations, searchOperations } from '../../logic/openapi';
import { Button } from '../../ui/Button';
import { CopyText } from '../../ui/CopyButton';
import { Empty } from '../../ui/Empty';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { Toolbar } from '../../ui/Toolbar';
import { GroupNav } from './GroupNav';
import { Operation } from './Operation';
import './api.css';

export default function ApiPage() {
  const operations = useQuery(async (signal) => {
    const response = await send('get', '/openapi.json', { signal });
    return groupOperations(await response.json());
  }, []);
  const base = new URL(apiBase, location.href).href;
  return (
    <>
      <PageHeader
        title="API"
        description="Everything in this console is also available to your scripts. Send your API key in the header Authorization: Bearer <key>."
        actions={<CopyText text={base} label="Copy the API base URL" />}
      />
      {operations.error && (
        <LoadError title="Could not load the API reference" error={operations.error} onRetry={operations.reload} />
      )}
      {operations.loading && !operations.error && <Skeleton lines={10} height="28px" />}
      {operations.data && <Reference groups={operations.data} base={base} />}
    </>
  );
}

function Reference({ groups, base }: { groups: readonly ApiGroup[]; base: string }) {
  const search = currentQuery.value.get('search') ?? '';
  const selectedId = currentQuery.value.get('op') ?? '';
  const matching = useMemo(() => searchOperations(groups, search), [groups, search]);
  const count = matching.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <div class="api-page">
      <GroupNav groups={matching} />
      <div class="grow">
        <Toolbar
          search={{ label: 'Search the API', value: search, onValue: (text) => setQuery({ search: text }) }}
          end={
            <span class="muted small" role="status">
              {plural(count, 'operation')}
            </span>
          }
        />
        {matching.map((group) => (
          <section key={group.name} id={`api-${group.name}`} class="api-group" aria-label={group.label}>
            <h2 class="api-heading">{group.label}</h2>
            {group.operations.map((operation) => (
              <Operation key={operation.id} operation={operation} base={base} selected={operation.id === selectedId} />
            ))}
          </section>
        ))}
        {matching.length === 0 && (
          <Empty
            icon="search"
            title="No matching operations"
            action={<Button onClick={() => setQuery({ search: undefined })}>Clear search</Button>}
          >
            Try part of a path, such as tools, or the name of a field.
          </Empty>
        )}
      </div>
    </div>
  );
}
