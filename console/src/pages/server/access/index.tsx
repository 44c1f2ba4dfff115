/** Access to a server: who may use it, sign-in, endpoint keys and members. */
import { useState } from 'preact/hooks';
import type { Server } from '../../../api/types';
import type { PageProps } from '../../../app/routes';
import { ServerFrame } from '../ServerFrame';
import { AccessCard } from './AccessCard';
import { AddressCard } from './AddressCard';
import { KeysCard } from './KeysCard';
import { MembersCard } from './MembersCard';
import { SignInCard } from './SignInCard';
import { useIssuer } from './use-issuer';
import './access.css';

export default function AccessTab({ params }: PageProps<'/servers/:id/access'>) {
  return (
    <ServerFrame serverId={params.id} tab="access">
      {(server, query, rights) => (
        <div class="stack access">
          {rights.edit && <AccessSettings server={server} onServer={query.set} />}
          <MembersCard server={server} canManage={rights.manage} />
          {rights.edit && <KeysCard server={server} />}
        </div>
      )}
    </ServerFrame>
  );
}

interface AccessSettingsProps {
  server: Server;
  onServer: (server: Server) => void;
}

function AccessSettings({ server, onServer }: AccessSettingsProps) {
  const issuer = useIssuer();
  const [choosing, setChoosing] = useState(false);
  const requiresSignIn = server.auth_type === 'oauth';
  const change = (changed: Server) => {
    setChoosing(false);
    onServer(changed);
  };
  return (
    <>
      <AccessCard
        server={server}
        onServer={change}
        choosing={choosing}
        onChoosing={setChoosing}
        opensSignInCard={Boolean(issuer?.problem)}
      />
      {requiresSignIn && <AddressCard server={server} onServer={onServer} />}
      {(requiresSignIn || choosing) && (
        // The key resets the form when sign-in is chosen or saved.
        <SignInCard key={String(choosing)} server={server} choosing={choosing} issuer={issuer} onServer={change} />
      )}
    </>
  );
}
