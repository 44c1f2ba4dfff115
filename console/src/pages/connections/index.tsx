/** The apps that the signed-in user gave access to servers, and the linked accounts. Users with the role `member` see no other page. */
import { get, remove } from '../../api/client';
import type { Me } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { currentQuery } from '../../app/router';
import { roleLabel } from '../../logic/access';
import { readPage } from '../../logic/page';
import { isMemberRole } from '../../logic/page-access';
import { useMe } from '../../session/me';
import { Callout } from '../../ui/Callout';
import { Empty } from '../../ui/Empty';
import { PageHeader } from '../../ui/PageHeader';
import { GrantsTable } from './GrantsTable';
import { MyAccountsCard } from './MyAccountsCard';

export default function MyConnectionsPage() {
  const me = useMe();
  const page = readPage(currentQuery.value);
  const grants = useQuery((signal) => get('/me/grants', { query: { page, per_page: 20 }, signal }), [page]);
  return (
    <>
      <PageHeader title="My connections" description="Apps that you allowed to use servers for you." />
      <div class="stack">
        {me && isMemberRole(me.user.role) && <MemberNote me={me} />}
        <GrantsTable
          label="My connections"
          query={grants}
          page={page}
          by="server"
          onEnd={({ id }) => remove('/me/grants/{grant_id}', { path: { grant_id: id } })}
          empty={
            <Empty icon="plug" title="No connected apps">
              Add the address of a server to your AI client, such as Claude or ChatGPT. The client opens a page on which
              you sign in and allow access. The app then appears here, and you can end its access.
            </Empty>
          }
        />
        <MyAccountsCard />
      </div>
    </>
  );
}

/** Says who is signed in, and why a member sees no other pages. */
function MemberNote({ me: { user } }: { me: Me }) {
  return (
    <Callout>
      You are signed in as{' '}
      <strong>
        <bdi>{user.name}</bdi>
      </strong>{' '}
      ({roleLabel(user.role)}). You can use the servers that you were given access to. Ask their owners for the
      addresses.
    </Callout>
  );
}
