/** API keys, users and OAuth clients. */
import { get } from '../../api/client';
import type { Me } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { currentQuery, setQuery } from '../../app/router';
import { roleLabel } from '../../logic/access';
import { Badge } from '../../ui/Badge';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { Tabs } from '../../ui/Tabs';
import { ClientsTab } from './ClientsTab';
import { KeyHint } from './KeyHint';
import { KeysTab } from './KeysTab';
import { UsersTab } from './UsersTab';
import './keys.css';

const tabs = [
  { id: 'keys', label: 'API keys' },
  { id: 'users', label: 'Users' },
  { id: 'clients', label: 'OAuth clients' },
] as const;

export default function KeysPage() {
  const me = useQuery((signal) => get('/me', { signal }), []);
  return (
    <>
      <PageHeader
        title="Keys"
        description="API keys for the management API. Endpoint keys of a server are on its Access tab."
      />
      {me.error && <LoadError error={me.error} onRetry={me.reload} />}
      {me.loading && <Skeleton lines={6} height="20px" />}
      {me.data && <Content me={me.data.data} />}
    </>
  );
}

function Content({ me }: { me: Me }) {
  const tab = tabs.find(({ id }) => id === currentQuery.value.get('tab'))?.id ?? 'keys';
  return (
    <div class="stack">
      <CurrentUser me={me} />
      {me.may_administer ? (
        <Tabs
          label="Keys, users and OAuth clients"
          tabs={tabs}
          current={tab}
          onTab={(id) => setQuery({ tab: id === 'keys' ? undefined : id, page: undefined })}
        >
          {tab === 'keys' && <KeysTab me={me} />}
          {tab === 'users' && <UsersTab me={me} />}
          {tab === 'clients' && <ClientsTab />}
        </Tabs>
      ) : (
        <KeysTab me={me} />
      )}
    </div>
  );
}

function CurrentUser({ me: { user, key, signed_in_with } }: { me: Me }) {
  return (
    <div class="keys-me">
      <span>
        Signed in as{' '}
        <strong>
          <bdi>{user.name}</bdi>
        </strong>{' '}
        ({roleLabel(user.role)}) {signed_in_with === 'session' ? 'in this browser' : ''}
        {key && (
          <>
            {' with the key '}
            <strong>
              <bdi>{key.name}</bdi>
            </strong>{' '}
            <KeyHint hint={key.hint} />
          </>
        )}
      </span>
      <span class="row">
        {key?.scopes.map((scope) => (
          <Badge key={scope}>{scope}</Badge>
        ))}
      </span>
    </div>
  );
}
