/** Creates a link with which a user sets a password and signs in, and shows it once. */
import { useState } from 'preact/hooks';
import { post } from '../../api/client';
import type { SignInLink, User } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Dialog } from '../../ui/Dialog';
import { OneTimeSecret } from '../../ui/OneTimeSecret';
import { Time } from '../../ui/Time';

export function SignInLinkDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [link, setLink] = useState<SignInLink>();
  const create = useMutation(async () => {
    const { data } = await post('/users/{id}/signin-links', undefined, { path: { id: user.id } });
    setLink(data);
  });
  return (
    <Dialog
      open
      dirty={link !== undefined}
      onClose={onClose}
      title={`Sign-in link for ${user.name}`}
      footer={
        link ? (
          <DoneButton onClose={onClose} />
        ) : (
          <CreateButtons busy={create.busy} onCreate={create.run} onClose={onClose} />
        )
      }
    >
      <div class="stack">
        {create.error && <Callout tone="bad">{create.error.message}</Callout>}
        <p>
          With the link,{' '}
          <strong class="keys-name-text">
            <bdi>{user.name}</bdi>
          </strong>{' '}
          sets a password and signs in. Use it as an invitation, or for a forgotten password. It works once, within 24
          hours.
        </p>
        {link && (
          <>
            <OneTimeSecret label="Sign-in link" value={link.url} />
            <p class="field-hint">
              Expires <Time value={link.expires_at} absolute />. Send it over a channel that you trust: everyone who has
              the link can sign in as this user.
            </p>
          </>
        )}
      </div>
    </Dialog>
  );
}

function DoneButton({ onClose }: { onClose: () => void }) {
  return (
    <Button variant="primary" onClick={onClose}>
      Done
    </Button>
  );
}

interface CreateButtonsProps {
  busy: boolean;
  onCreate: () => Promise<unknown>;
  onClose: () => void;
}

function CreateButtons({ busy, onCreate, onClose }: CreateButtonsProps) {
  return (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" busy={busy} onClick={() => void onCreate()}>
        Create link
      </Button>
    </>
  );
}
