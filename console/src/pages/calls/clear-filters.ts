import { setQuery } from '../../app/router';

const noFilters = {
  server: undefined,
  tool: undefined,
  client: undefined,
  endpoint_key_id: undefined,
  caller: undefined,
  client_address: undefined,
  status: undefined,
  from: undefined,
  to: undefined,
};

export function clearFilters(): void {
  setQuery(noFilters);
}
