/** Loads the list of servers with the search, filter, sort order and page in the query string. */
import { get } from '../../api/client';
import { useQuery } from '../../api/use-query';

const statuses = ['active', 'paused', 'draft'] as const;
const sortColumns = ['id', 'name', 'slug', 'status', 'created_at', 'updated_at'] as const;

type Status = (typeof statuses)[number] | '';
type SortColumn = (typeof sortColumns)[number];

export interface ServersFilter {
  search: string;
  status: Status;
  orderby: SortColumn;
  order: 'ASC' | 'DESC';
  page: number;
}

export const statusOptions: { value: Status; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'draft', label: 'Draft' },
];

export function isStatus(text: string): text is Status {
  return text === '' || statuses.some((status) => status === text);
}

/** Missing or invalid parameters use the defaults: sorted by name, first page. */
export function readFilter(query: URLSearchParams): ServersFilter {
  const status = query.get('status') ?? '';
  return {
    search: query.get('search') ?? '',
    status: isStatus(status) ? status : '',
    orderby: sortColumns.find((column) => column === query.get('orderby')) ?? 'name',
    order: query.get('order') === 'DESC' ? 'DESC' : 'ASC',
    page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
  };
}

export function useServers({ search, status, orderby, order, page }: ServersFilter) {
  return useQuery(
    (signal) => get('/servers', { query: { search, status, orderby, order, page, per_page: 20 }, signal }),
    [search, status, orderby, order, page],
  );
}
