/** The list of servers. */
import { useState } from 'preact/hooks';
import { currentQuery, setQuery } from '../../app/router';
import { useMe } from '../../session/me';
import { Button } from '../../ui/Button';
import { PageHeader } from '../../ui/PageHeader';
import { Segmented } from '../../ui/Segmented';
import { Toolbar } from '../../ui/Toolbar';
import { CreateServerDialog } from './CreateServerDialog';
import { NoServers } from './NoServers';
import { ServersTable } from './ServersTable';
import { isStatus, readFilter, statusOptions, useServers } from './use-servers';

export default function ServersPage() {
  const filter = readFilter(currentQuery.value);
  const servers = useServers(filter);
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  const canCreate = useMe()?.may_write === true;
  const filtered = filter.search !== '' || filter.status !== '';

  return (
    <>
      <PageHeader
        title="Servers"
        description="Each server is a separate MCP endpoint with its tools, prompts and resources."
        actions={
          canCreate && (
            <Button variant="primary" icon="plus" onClick={create}>
              New server
            </Button>
          )
        }
      />
      <Toolbar
        search={{
          label: 'Search servers',
          value: filter.search,
          onValue: (search) => setQuery({ search, page: undefined }),
        }}
      >
        <Segmented
          label="Status"
          value={isStatus(filter.status) ? filter.status : ''}
          options={statusOptions}
          onValue={(status) => setQuery({ status, page: undefined })}
        />
      </Toolbar>
      <ServersTable
        servers={servers}
        page={filter.page}
        sort={{ by: filter.orderby, order: filter.order }}
        onSort={({ by, order }) => setQuery({ orderby: by, order, page: undefined })}
        empty={<NoServers filtered={filtered} onCreate={canCreate ? create : undefined} />}
      />
      {creating && <CreateServerDialog onClose={() => setCreating(false)} />}
    </>
  );
}
