/** Gives a server another owner. Only administrators see this dialog. */
import { useState } from 'preact/hooks';
import { get, patch } from '../../../api/client';
import type { Server } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { useQuery } from '../../../api/use-query';
import { FormDialog } from '../../../ui/FormDialog';
import { LoadError } from '../../../ui/LoadError';
import { Select } from '../../../ui/Select';
import { toast } from '../../../ui/Toast';

export interface HandOverDialogProps {
  server: Server;
  onServer: (server: Server) => void;
  onClose: () => void;
}

export function HandOverDialog({ server, onServer, onClose }: HandOverDialogProps) {
  const users = useQuery(async (signal) => (await get('/users', { signal })).data, []);
  const candidates = (users.data ?? []).filter(({ id, disabled }) => id !== server.user_id && !disabled);
  const [chosen, setChosen] = useState('');
  const handOver = useMutation(
    () => patch('/servers/{id}', { user_id: Number(chosen) }, { path: { id: server.id } }),
    ['user_id', 'slug'],
  );
  const submit = async () => {
    const reply = await handOver.run();
    if (!reply) return;
    toast(`${server.name} has a new owner.`);
    onServer(reply.data);
    onClose();
  };
  return (
    <FormDialog
      title="Hand over server"
      action="Hand over"
      dirty={chosen !== ''}
      request={handOver}
      onSubmit={submit}
      onClose={onClose}
    >
      {users.error && <LoadError title="Could not load the users" error={users.error} onRetry={users.reload} />}
      <Select
        label="New owner"
        hint="The endpoint, its keys, credentials, members and recorded calls stay. The previous owner loses access."
        value={chosen}
        options={[
          { value: '', label: 'Choose a user', disabled: true },
          ...candidates.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        onValue={setChosen}
        error={handOver.fields.user_id ?? handOver.fields.slug}
      />
    </FormDialog>
  );
}
