/** Choice of the client: a list, or a select on narrow screens. */
import { type ClientId, clients, isClient } from '../../../logic/snippets';
import { Select } from '../../../ui/Select';

const ids = Object.keys(clients).filter(isClient);

export interface ClientChoiceProps {
  current: ClientId;
  onClient: (id: ClientId) => void;
}

export function ClientChoice({ current, onClient }: ClientChoiceProps) {
  return (
    <>
      <nav class="connect-list" aria-label="Client">
        {ids.map((id) => (
          <button
            key={id}
            type="button"
            class="connect-client"
            aria-current={id === current ? 'true' : undefined}
            onClick={() => onClient(id)}
          >
            {clients[id].label}
          </button>
        ))}
      </nav>
      <div class="connect-select">
        <Select
          label="Client"
          value={current}
          options={ids.map((id) => ({ value: id, label: clients[id].label }))}
          onValue={onClient}
        />
      </div>
    </>
  );
}
