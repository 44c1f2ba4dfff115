/** The key for the snippets: a new one, made on the spot, or one that is pasted. It stays in this page. */

import { useState } from 'preact/hooks';
import { post } from '../../../api/client';
import { useMutation } from '../../../api/use-mutation';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { SecretOnce } from '../../../ui/SecretOnce';
import { TextField } from '../../../ui/TextField';

export interface KeyCardProps {
  serverId: number;
  value: string;
  onValue: (key: string) => void;
}

export function KeyCard({ serverId, value, onValue }: KeyCardProps) {
  const [made, setMade] = useState<string>();
  const create = useMutation(async () => {
    const { data } = await post('/servers/{id}/keys', { name: 'Connect page' }, { path: { id: serverId } });
    setMade(data.key);
    onValue(data.key);
  });
  if (made !== undefined) {
    return (
      <Card title="Your new key" description="It is in the snippets below. You find it under Access, to revoke it.">
        <SecretOnce label="Key of this server" value={made} />
      </Card>
    );
  }
  return (
    <Card title="This server wants a key" description="Make one for the snippets below, or paste one that you have.">
      <div class="connect-key">
        <Button icon="key" busy={create.busy} onClick={() => void create.run()}>
          Create a key
        </Button>
        <TextField
          label="A key that you have"
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
