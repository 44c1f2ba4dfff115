/** Credentials of a server, which its tools can share. */
import type { PageProps } from '../../../app/routes';
import { ServerFrame } from '../ServerFrame';
import { CredentialsCard } from './CredentialsCard';
import './credentials.css';

export default function CredentialsTab({ params }: PageProps<'/servers/:id/credentials'>) {
  return (
    <ServerFrame serverId={params.id} tab="credentials">
      {(server, _query, { edit }) => (
        <div class="stack credentials">
          <CredentialsCard serverId={server.id} canEdit={edit} />
        </div>
      )}
    </ServerFrame>
  );
}
