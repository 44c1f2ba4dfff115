/** Access to a server: authentication and endpoint keys. */
import type { PageProps } from '../../../app/routes';
import { ServerFrame } from '../ServerFrame';
import { AuthCard } from './AuthCard';
import { KeysCard } from './KeysCard';
import './access.css';

export default function AccessTab({ params }: PageProps<'/servers/:id/access'>) {
  return (
    <ServerFrame serverId={params.id} tab="access">
      {(server, query) => (
        <div class="stack access">
          <AuthCard server={server} onServer={query.set} />
          <KeysCard server={server} />
        </div>
      )}
    </ServerFrame>
  );
}
