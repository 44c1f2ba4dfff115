/** Filters of calls and reports by server, tool and client, stored in the query string. */
import type { ComponentChildren } from 'preact';
import { get } from '../api/client';
import { useQuery } from '../api/use-query';
import { setQuery } from '../app/router';
import { Select } from './Select';
import './QueryFilters.css';

/** The row of filters. */
export function QueryFilters({ children }: { children: ComponentChildren }) {
  return (
    <fieldset class="query-filters">
      <legend class="visually-hidden">Filters</legend>
      {children}
    </fieldset>
  );
}

export function ServerFilter({ server }: { server: number | undefined }) {
  const servers = useQuery((signal) => get('/servers', { query: { per_page: 100, orderby: 'name' }, signal }), []);
  const listedOptions = servers.data?.data.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  return (
    <Select
      label="Server"
      hideLabel
      value={String(server ?? '')}
      options={withSelected('All servers', listedOptions, server, 'Server')}
      onValue={(id) => setQuery({ server: id, tool: undefined, page: undefined })}
    />
  );
}

/** Lists tools only for a selected server: all servers together may have thousands. */
export function ToolFilter({ server, tool }: { server: number | undefined; tool: number | undefined }) {
  const tools = useQuery(
    async (signal) => {
      if (server === undefined) return [];
      const { data } = await get('/servers/{server_id}/tools', { path: { server_id: server }, signal });
      return data;
    },
    [server],
  );
  const listedOptions = tools.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  if (server === undefined && tool === undefined) return null;
  return (
    <Select
      label="Tool"
      hideLabel
      value={String(tool ?? '')}
      options={withSelected('All tools', listedOptions, tool, 'Tool')}
      onValue={(id) => setQuery({ tool: id })}
    />
  );
}

export function ClientFilter({ client }: { client: string }) {
  const clients = useQuery((signal) => get('/analytics/client-breakdown', { signal }), []);
  const listedOptions = clients.data?.data.map(({ client_type }) => ({ value: client_type, label: client_type })) ?? [];
  return (
    <Select
      label="Client"
      hideLabel
      value={client}
      options={withSelected('All clients', listedOptions, client || undefined, 'Client')}
      onValue={(type) => setQuery({ client: type })}
    />
  );
}

/** Adds the selected value if it is not in the list: it may be deleted, or on a later page. */
export function withSelected(
  allLabel: string,
  listedOptions: { value: string; label: string }[],
  selected: number | string | undefined,
  noun: string,
): { value: string; label: string }[] {
  const value = String(selected ?? '');
  const isMissing = selected !== undefined && listedOptions.every((option) => option.value !== value);
  return [
    { value: '', label: allLabel },
    ...listedOptions,
    ...(isMissing ? [{ value, label: `${noun} ${value}` }] : []),
  ];
}
