/** Access to a server: authentication, endpoint keys and members. */
import type { PageProps } from '../../../app/routes';
import { ServerFrame } from '../ServerFrame';
import { AuthCard } from './AuthCard';
import { KeysCard } from './KeysCard';
import { MembersCard } from './MembersCard';
import './access.css';

export default function AccessTab({ params }: PageProps<'/servers/:id/access'>) {
  return (
    <ServerFrame serverId={params.id} tab="access">
      {(server, query, { edit, manage }) => (
        <div class="stack access">
          {edit && <AuthCard server={server} onServer={query.set} />}
          {edit && <KeysCard server={server} />}
          <MembersCard server={server} canManage={manage} />
        </div>
      )}
    </ServerFrame>
  );
}
