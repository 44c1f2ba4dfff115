import { useState } from 'preact/hooks';
import { remove } from '../../api/client';
import type { ApiKey } from '../../api/types';
import { signOut } from '../../session/session';
import { Button } from '../../ui/Button';
import { Confirm } from '../../ui/Confirm';
import { toast } from '../../ui/Toast';

export interface RevokeKeyProps {
  apiKey: ApiKey;
  /** It is the key of this very tab. */
  own: boolean;
  onRevoked: () => void;
}

export function RevokeKey({ apiKey, own, onRevoked }: RevokeKeyProps) {
  const [asking, setAsking] = useState(false);
  const revoke = async () => {
    await remove('/api-keys/{id}', { path: { id: apiKey.id } });
    toast(`The key ${apiKey.name} was revoked.`);
    if (own) signOut();
    else onRevoked();
  };
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {asking && (
        <Confirm
          title={`Revoke ${apiKey.name}`}
          action="Revoke key"
          name={own ? apiKey.name : undefined}
          onConfirm={revoke}
          onClose={() => setAsking(false)}
        >
          {own
            ? 'This is the key you use right now: you are signed out, and need another one to come back. '
            : 'Whatever uses this key stops working at once. '}
          A revoked key cannot be brought back.
        </Confirm>
      )}
    </>
  );
}
