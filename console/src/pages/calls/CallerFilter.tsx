import { useRef } from 'preact/hooks';
import { get } from '../../api/client';
import type { Call } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { setQuery } from '../../app/router';
import { addCallers, type CallerOption } from '../../logic/caller';
import { withSelected } from '../../ui/QueryFilters';
import { Select } from '../../ui/Select';

export interface CallerFilterProps {
  server: number | undefined;
  caller: string;
  calls: readonly Call[];
}

/** Offers the callers of all calls that were loaded so far, and the keys of the selected server. */
export function CallerFilter({ server, caller, calls }: CallerFilterProps) {
  const known = useRef<readonly CallerOption[]>([]);
  const keys = useQuery(
    async (signal) => {
      if (server === undefined) return [];
      const { data } = await get('/servers/{id}/keys', { path: { id: server }, signal });
      return data.map(({ id, name }) => ({ kind: 'key' as const, id, name }));
    },
    [server],
  );
  known.current = addCallers(
    known.current,
    calls.map((call) => call.caller),
  );
  const options = addCallers(known.current, keys.data ?? []);
  if (caller === '' && options.length === 0) return null;
  return (
    <Select
      label="Caller"
      hideLabel
      value={caller}
      options={withSelected('All callers', [...options], caller || undefined, 'Caller')}
      onValue={(value) => setQuery({ caller: value, endpoint_key_id: undefined })}
    />
  );
}
