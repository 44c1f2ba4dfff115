/** What clients must present. A change takes effect immediately; removing the requirement must be confirmed. */
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
    label: 'Endpoint key',
    text: 'Clients must send an endpoint key of this server, or an API key of its owner with the scope mcp. Other clients get status 401.',
  },
  {
    value: 'oauth',
    label: 'Sign-in',
    text: 'People sign in with OAuth and allow their client to use the server. Keys are accepted as well.',
  },
  {
    value: 'none',
    label: 'None',
    text: 'Anyone with the URL can list and call the tools, which use their stored credentials.',
  },
] as const;

type ServerAuthType = (typeof options)[number]['value'];

const changed: Record<ServerAuthType, string> = {
  'api-key': 'now requires a key.',
  oauth: 'now requires sign-in.',
  none: 'is now public.',
};

export interface AuthCardProps {
  server: Server;
  onServer: (server: Server) => void;
}

export function AuthCard({ server, onServer }: AuthCardProps) {
  const [confirming, setConfirming] = useState(false);
  const change = async (auth_type: ServerAuthType) => {
    const { data } = await patch('/servers/{id}', { auth_type }, { path: { id: server.id } });
    onServer(data);
    toast(`${server.name} ${changed[auth_type]}`);
  };
  const restrict = useMutation((auth_type: ServerAuthType) => change(auth_type));
  const choose = (auth_type: ServerAuthType) => {
    if (auth_type === server.auth_type) return;
    if (auth_type === 'none') setConfirming(true);
    else void restrict.run(auth_type);
  };
  return (
    <Card title="Authentication" description="Changes take effect with the next request.">
      {restrict.error && <Callout tone="bad">{restrict.error.message}</Callout>}
      <RadioCards
        label="Authentication"
        hideLabel
        value={options.find(({ value }) => value === server.auth_type)?.value ?? 'api-key'}
        options={options}
        onValue={choose}
      />
      {confirming && (
        <Confirm
          title="Make this server public?"
          action="Make public"
          onClose={() => setConfirming(false)}
          onConfirm={() => change('none')}
        >
          Anyone with the URL can then call every active tool, with the stored credentials. Existing endpoint keys stay
          valid, but are no longer required.
        </Confirm>
      )}
    </Card>
  );
}
