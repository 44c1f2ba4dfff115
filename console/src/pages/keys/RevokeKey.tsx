import { useState } from 'preact/hooks';
import { remove } from '../../api/client';
import type { ApiKey } from '../../api/types';
import { signOut } from '../../session/session';
import { Button } from '../../ui/Button';
import { Confirm } from '../../ui/Confirm';
import { toast } from '../../ui/Toast';

export interface RevokeKeyProps {
  apiKey: ApiKey;
  /** The key of the current session. */
  isSessionKey: boolean;
  onRevoked: () => void;
}

export function RevokeKey({ apiKey, isSessionKey, onRevoked }: RevokeKeyProps) {
  const [confirming, setConfirming] = useState(false);
  const revoke = async () => {
    await remove('/api-keys/{id}', { path: { id: apiKey.id } });
    toast(`Revoked ${apiKey.name}.`);
    if (isSessionKey) signOut();
    else onRevoked();
  };
  return (
    <>
      <Button size="small" onClick={() => setConfirming(true)}>
        Revoke
      </Button>
      {confirming && (
        <Confirm
          title={`Revoke ${apiKey.name}`}
          action="Revoke key"
          name={isSessionKey ? apiKey.name : undefined}
          onConfirm={revoke}
          onClose={() => setConfirming(false)}
        >
          {isSessionKey
            ? 'You are signed in with this key. Revoking it signs you out, and you need another key to sign in. '
            : 'Everything that uses this key stops working immediately. '}
          You cannot undo this.
        </Confirm>
      )}
    </>
  );
}
