/** Choice of one of the server's tools. */
import { get } from '../../../api/client';
import { useQuery } from '../../../api/use-query';
import { Select } from '../../../ui/Select';

export interface ToolFieldProps {
  serverId: number;
  value: string;
  onValue: (name: string) => void;
  error?: string | undefined;
}

export function ToolField({ serverId, value, onValue, error }: ToolFieldProps) {
  const tools = useQuery(
    async (signal) => (await get('/servers/{server_id}/tools', { path: { server_id: serverId }, signal })).data,
    [serverId],
  );
  const names = (tools.data ?? []).map(({ name }) => name);
  const isMissing = value !== '' && tools.data !== undefined && !names.includes(value);
  const options = [
    { value: '', label: tools.loading ? 'Loading the tools…' : 'Choose a tool', disabled: true },
    ...(value !== '' && !names.includes(value) ? [{ value, label: value }] : []),
    ...names.map((name) => ({ value: name, label: name })),
  ];
  return (
    <Select
      label="Tool"
      value={value}
      options={options}
      onValue={onValue}
      error={error ?? tools.error?.message ?? (isMissing ? 'This server has no tool with this name.' : undefined)}
      hint={names.length === 0 && tools.data ? 'This server has no tools yet.' : undefined}
    />
  );
}
