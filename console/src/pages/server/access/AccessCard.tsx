/**
 * Who may use the server: everyone, clients with a key, or people who sign in. A choice is saved immediately; the user
 * confirms it first if it makes the server public or ends the access of connected apps. If this service cannot issue
 * tokens, the choice of sign-in only opens SignInCard, which explains the problem.
 */
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
    value: 'oauth',
    label: 'People who sign in',
    text: 'The client opens a page on which people sign in and allow access (OAuth). claude.ai and ChatGPT need this.',
  },
  {
    value: 'api-key',
    label: 'Clients with a key',
    text: 'Clients send an endpoint key of this server, or an API key of its owner with the scope mcp.',
  },
  {
    value: 'none',
    label: 'Anyone with the address',
    text: 'Everyone who knows the URL can list and call the tools, which use their stored credentials.',
  },
] as const;

export type ServerAuthType = (typeof options)[number]['value'];

const changeTexts: Record<ServerAuthType, string> = {
  'api-key': 'now requires a key.',
  oauth: 'now requires sign-in.',
  none: 'is now public.',
};

export interface AccessCardProps {
  server: Server;
  onServer: (server: Server) => void;
  /** Sign-in is chosen but not saved yet. */
  choosing: boolean;
  onChoosing: (choosing: boolean) => void;
  /** The choice of sign-in opens SignInCard instead: this service cannot issue tokens, and the card says why. */
  opensSignInCard: boolean;
}

export function AccessCard({ server, onServer, choosing, onChoosing, opensSignInCard }: AccessCardProps) {
  const [confirming, setConfirming] = useState<ServerAuthType>();
  const stored = options.find(({ value }) => value === server.auth_type)?.value ?? 'api-key';
  const change = async (auth_type: ServerAuthType) => {
    const { data } = await patch('/servers/{id}', { auth_type }, { path: { id: server.id } });
    onServer(data);
    toast(`${server.name} ${changeTexts[auth_type]}`);
  };
  const save = useMutation(change);
  const choose = (next: ServerAuthType) => {
    save.clear();
    onChoosing(next === 'oauth' && stored !== 'oauth' && opensSignInCard);
    if (next === stored || (next === 'oauth' && opensSignInCard)) return;
    if (next === 'none' || stored === 'oauth') setConfirming(next);
    else void save.run(next);
  };
  return (
    <Card title="Who may use it" description="Changes take effect with the next request.">
      {save.error && <Callout tone="bad">{Object.values(save.error.params)[0] ?? save.error.message}</Callout>}
      <RadioCards
        label="Who may use it"
        hideLabel
        value={choosing ? 'oauth' : stored}
        options={options}
        onValue={choose}
      />
      {confirming && (
        <Confirm
          {...confirmation(confirming)}
          onClose={() => setConfirming(undefined)}
          onConfirm={() => change(confirming)}
        >
          {stored === 'oauth' && (
            <p>All connected apps lose access immediately. If you change back, people have to connect them again.</p>
          )}
          {confirming === 'none' && (
            <p>
              Anyone with the URL can then call every active tool, with the stored credentials. Existing endpoint keys
              stay valid, but are no longer required.
            </p>
          )}
        </Confirm>
      )}
    </Card>
  );
}

function confirmation(next: ServerAuthType): { title: string; action: string } {
  if (next === 'none') return { title: 'Make this server public?', action: 'Make public' };
  return { title: 'Stop sign-in for this server?', action: 'Require a key instead' };
}
