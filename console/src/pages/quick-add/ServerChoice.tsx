/** The server that the tool goes to: one of those that are there, or a new one, made with the tool. */
import type { Server } from '../../api/types';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import type { ServerPlan } from './use-quick-add';

export interface ServerChoiceProps {
  servers: readonly Server[];
  plan: ServerPlan;
  suggestedName: string;
  nameFault: string | undefined;
  onPlan: (plan: ServerPlan) => void;
}

const authOptions = [
  { value: 'api-key', label: 'A key' },
  { value: 'none', label: 'Nothing: anybody who knows the address' },
] as const;

export function ServerChoice({ servers, plan, suggestedName, nameFault, onPlan }: ServerChoiceProps) {
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
            label={servers.length > 0 ? 'Its name' : 'New server'}
            value={plan.name ?? suggestedName}
            error={nameFault}
            onValue={(name) => onPlan({ ...plan, name })}
          />
          <Select
            label="What clients must present"
            value={plan.auth}
            options={authOptions}
            onValue={(auth) => onPlan({ ...plan, auth })}
          />
        </>
      )}
    </div>
  );
}
