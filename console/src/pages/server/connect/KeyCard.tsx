/** The endpoint key for the snippets: created here or pasted. It is not stored anywhere. */

import { useState } from 'preact/hooks';
import { post } from '../../../api/client';
import { useMutation } from '../../../api/use-mutation';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { OneTimeSecret } from '../../../ui/OneTimeSecret';
import { TextField } from '../../../ui/TextField';

export interface KeyCardProps {
  serverId: number;
  value: string;
  onValue: (key: string) => void;
}

export function KeyCard({ serverId, value, onValue }: KeyCardProps) {
  const [createdKey, setCreatedKey] = useState<string>();
  const create = useMutation(async () => {
    const { data } = await post('/servers/{id}/keys', { name: 'Connect page' }, { path: { id: serverId } });
    setCreatedKey(data.key);
    onValue(data.key);
  });
  if (createdKey !== undefined) {
    return (
      <Card title="Your new key" description="The snippets below contain it. You can revoke it under Access.">
        <OneTimeSecret label="Endpoint key" value={createdKey} />
      </Card>
    );
  }
  return (
    <Card title="Endpoint key required" description="Create a key for the snippets below, or paste an existing one.">
      <div class="connect-key">
        <Button icon="key" busy={create.busy} onClick={() => void create.run()}>
          Create a key
        </Button>
        <TextField
          label="Existing key"
          hideLabel
          mono
          placeholder="tg_…"
          value={value}
          onValue={onValue}
          error={create.error?.message}
        />
      </div>
    </Card>
  );
}
