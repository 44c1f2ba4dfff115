/** The server for the tool: an existing or a new one. */
import type { Server } from '../../api/types';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import type { ServerPlan } from './use-quick-add';

export interface ServerChoiceProps {
  servers: readonly Server[];
  /** The chosen server, or the name and authentication of a new one. */
  plan: ServerPlan;
  suggestedName: string;
  nameError: string | undefined;
  onPlan: (plan: ServerPlan) => void;
}

const authOptions = [
  { value: 'api-key', label: 'Endpoint key' },
  { value: 'none', label: 'None: anyone with the URL can connect' },
] as const;

export function ServerChoice({ servers, plan, suggestedName, nameError, onPlan }: ServerChoiceProps) {
  const options = [
    ...servers.map(({ id, name, status }) => ({
      value: String(id),
      label: status === 'active' ? name : `${name} (${status})`,
    })),
    { value: '', label: 'New server…' },
  ];
  return (
    <div class="quick-add-server">
      {servers.length > 0 && (
        <Select
          label="Server"
          value={plan.id === undefined ? '' : String(plan.id)}
          options={options}
          onValue={(value) => onPlan({ ...plan, id: value === '' ? undefined : Number(value) })}
        />
      )}
      {plan.id === undefined && (
        <>
          <TextField
            label="Server name"
            value={plan.name ?? suggestedName}
            error={nameError}
            onValue={(name) => onPlan({ ...plan, name })}
          />
          <Select
            label="Authentication"
            value={plan.auth}
            options={authOptions}
            onValue={(auth) => onPlan({ ...plan, auth })}
          />
        </>
      )}
    </div>
  );
}
