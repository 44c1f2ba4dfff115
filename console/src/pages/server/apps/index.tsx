/** Connected apps: the apps (OAuth clients) that people gave access to a server. */
import { get, remove } from '../../../api/client';
import type { Server } from '../../../api/types';
import { useQuery } from '../../../api/use-query';
import { currentQuery } from '../../../app/router';
import type { PageProps } from '../../../app/routes';
import { issuerHost, toOAuthForm } from '../../../logic/oauth-form';
import { readPage } from '../../../logic/page';
import { Button } from '../../../ui/Button';
import { Empty } from '../../../ui/Empty';
import { Skeleton } from '../../../ui/Skeleton';
import { GrantsTable } from '../../connections/GrantsTable';
import { ServerFrame } from '../ServerFrame';

export default function AppsTab({ params }: PageProps<'/servers/:id/apps'>) {
  return (
    <ServerFrame serverId={params.id} tab="apps">
      {(server, _, { manage, edit, viewOnly }) => {
        if (manage) return <ConnectedApps server={server} />;
        // If both are false, the rights have not loaded yet.
        return edit || viewOnly ? <OnlyForOwner /> : <Skeleton lines={4} />;
      }}
    </ServerFrame>
  );
}

function ConnectedApps({ server }: { server: Server }) {
  const page = readPage(currentQuery.value);
  const grants = useQuery(
    (signal) => get('/servers/{id}/grants', { path: { id: server.id }, query: { page, per_page: 20 }, signal }),
    [server.id, page],
  );
  const end = (grantId: number) =>
    remove('/servers/{id}/grants/{grant_id}', { path: { id: server.id, grant_id: grantId } });
  return (
    <div class="stack">
      <p class="muted">
        Apps that people allowed to use this server. The apps chose their own names. If you end the access of an app,
        its next request is refused.
      </p>
      <GrantsTable
        label="Connected apps"
        query={grants}
        page={page}
        by="person"
        onEnd={({ id }) => end(id)}
        empty={<NoApps server={server} />}
      />
    </div>
  );
}

function NoApps({ server }: { server: Server }) {
  const host = issuerHost(toOAuthForm(server));
  const access = `/servers/${server.id}/access`;
  if (server.auth_type !== 'oauth') {
    return (
      <Empty icon="plug" title="Sign-in is off" action={<Button href={access}>Change who may use it</Button>}>
        People connect apps to servers that require sign-in. This server does not require it.
      </Empty>
    );
  }
  if (host !== undefined) {
    return (
      <Empty icon="plug" title="Managed by the issuer">
        {host} issues the tokens of this server and knows which apps have access. End access there.
      </Empty>
    );
  }
  return (
    <Empty
      icon="plug"
      title="No connected apps"
      action={
        <Button variant="primary" href={access}>
          Show the address and steps
        </Button>
      }
    >
      Add the address of this server to an AI client. The client opens a page on which people sign in and allow access.
      Each app then appears here, with the person who allowed it.
    </Empty>
  );
}

function OnlyForOwner() {
  return (
    <Empty icon="lock" title="Only for the owner">
      The owner of the server and administrators see which apps are connected.
    </Empty>
  );
}
