/** Whether clients need a key. It counts at once; opening a server to everybody is asked about. */
import { useState } from 'preact/hooks';
import { patch } from '../../../api/client';
import type { Server } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { Confirm } from '../../../ui/Confirm';
import { RadioCards } from '../../../ui/RadioCards';
import { toast } from '../../../ui/Toast';

const options = [
  {
    value: 'api-key',
    label: 'A key',
    text: 'Only clients that send a key of this server, or one of its owner’s with the scope mcp. All others get 401.',
  },
  {
    value: 'none',
    label: 'Nothing',
    text: 'Anybody who knows the address can list and call the tools, with the credentials that are stored in them.',
  },
] as const;

type AuthType = (typeof options)[number]['value'];

export interface AuthCardProps {
  server: Server;
  onServer: (server: Server) => void;
}

export function AuthCard({ server, onServer }: AuthCardProps) {
  const [opening, setOpening] = useState(false);
  const change = async (auth_type: AuthType) => {
    const { data } = await patch('/servers/{id}', { auth_type }, { path: { id: server.id } });
    onServer(data);
    toast(auth_type === 'none' ? `${server.name} is open to everybody.` : `${server.name} wants a key now.`);
  };
  const lock = useMutation(() => change('api-key'));
  const choose = (auth_type: AuthType) => {
    if (auth_type === server.auth_type) return;
    if (auth_type === 'none') setOpening(true);
    else void lock.run();
  };
  return (
    <Card title="What clients must present" description="It counts from the next request on.">
      {lock.error && <Callout tone="bad">{lock.error.message}</Callout>}
      <RadioCards
        label="What clients must present"
        hideLabel
        value={server.auth_type === 'none' ? 'none' : 'api-key'}
        options={options}
        onValue={choose}
      />
      {opening && (
        <Confirm
          title="Open this server to everybody?"
          action="Open it"
          onClose={() => setOpening(false)}
          onConfirm={() => change('none')}
        >
          Whoever knows the address can then call every active tool, and what the tools may do with their stored
          credentials. Keys stay as they are, but nobody is asked for one.
        </Confirm>
      )}
    </Card>
  );
}
