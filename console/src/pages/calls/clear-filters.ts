import { setQuery } from '../../app/router';

const none = {
  server: undefined,
  tool: undefined,
  client: undefined,
  status: undefined,
  from: undefined,
  to: undefined,
};

export function clearFilters(): void {
  setQuery(none);
}
