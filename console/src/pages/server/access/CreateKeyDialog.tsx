/** Makes a key, then shows it this once. */
import { useState } from 'preact/hooks';
import { post } from '../../../api/client';
import { useMutation } from '../../../api/use-mutation';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { Dialog } from '../../../ui/Dialog';
import { SecretOnce } from '../../../ui/SecretOnce';
import { TextField } from '../../../ui/TextField';

export interface CreateKeyDialogProps {
  serverId: number;
  onCreated: () => void;
  onClose: () => void;
}

export function CreateKeyDialog({ serverId, onCreated, onClose }: CreateKeyDialogProps) {
  const [name, setName] = useState('');
  const [key, setKey] = useState<string>();
  const create = useMutation(async () => {
    const { data } = await post('/servers/{id}/keys', { name }, { path: { id: serverId } });
    setKey(data.key);
    onCreated();
  }, ['name']);
  if (key !== undefined) {
    return (
      <Dialog
        open
        dirty
        onClose={onClose}
        title="Your new key"
        footer={
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <SecretOnce label={name} value={key} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="New key"
      dirty={name !== ''}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="create-key" busy={create.busy}>
            Create key
          </Button>
        </>
      }
    >
      <form
        id="create-key"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        {create.general && <Callout tone="bad">{create.general}</Callout>}
        <TextField
          label="Name"
          placeholder="Cursor on my laptop"
          hint="Who or what the key is for."
          autofocus
          value={name}
          onValue={setName}
          error={create.fields.name}
        />
      </form>
    </Dialog>
  );
}
