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
  const listed = servers.data?.data.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  return (
    <Select
      label="Server"
      hideLabel
      value={String(server ?? '')}
      options={withChosen('All servers', listed, server, 'Server')}
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
  const listed = tools.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  if (server === undefined && tool === undefined) return null;
  return (
    <Select
      label="Tool"
      hideLabel
      value={String(tool ?? '')}
      options={withChosen('All tools', listed, tool, 'Tool')}
      onValue={(id) => setQuery({ tool: id })}
    />
  );
}

export function ClientFilter({ client }: { client: string }) {
  const clients = useQuery((signal) => get('/analytics/client-breakdown', { signal }), []);
  const listed = clients.data?.data.map(({ client_type }) => ({ value: client_type, label: client_type })) ?? [];
  return (
    <Select
      label="Client"
      hideLabel
      value={client}
      options={withChosen('All clients', listed, client || undefined, 'Client')}
      onValue={(type) => setQuery({ client: type })}
    />
  );
}

/** Adds the selected value if it is not in the list: it may be deleted, or on a later page. */
function withChosen(
  allLabel: string,
  listed: { value: string; label: string }[],
  chosen: number | string | undefined,
  noun: string,
): { value: string; label: string }[] {
  const value = String(chosen ?? '');
  const missing = chosen !== undefined && listed.every((option) => option.value !== value);
  return [{ value: '', label: allLabel }, ...listed, ...(missing ? [{ value, label: `${noun} ${value}` }] : [])];
}
