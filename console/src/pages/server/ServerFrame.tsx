/** Header and tabs shared by all pages of a server. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Server } from '../../api/types';
import type { Query } from '../../api/use-query';
import type { ServerRights } from '../../logic/rights';
import { reloadMe, useServerRights } from '../../session/me';
import { Status } from '../../ui/Badge';
import { CopyText } from '../../ui/CopyButton';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { TabLinks } from '../../ui/Tabs';
import { useServer } from './use-server';
import { ViewOnlyNote } from './ViewOnlyNote';
import './server.css';

export type ServerTab =
  | 'tools'
  | 'import'
  | 'documents'
  | 'prompts'
  | 'resources'
  | 'credentials'
  | 'connect'
  | 'access'
  | 'apps'
  | 'settings';

const labels: Record<ServerTab, string> = {
  tools: 'Tools',
  import: 'Import',
  documents: 'Documents',
  prompts: 'Prompts',
  resources: 'Resources',
  credentials: 'Credentials',
  connect: 'Connect',
  access: 'Access',
  apps: 'Connected apps',
  settings: 'Settings',
};

/** Tabs that are useful only to users who may change the server. */
const editorTabs: readonly string[] = ['import', 'access', 'settings'] satisfies ServerTab[];

export interface ServerFrameProps {
  serverId: number;
  tab: ServerTab;
  /** Buttons next to the name, for users who may change the server. */
  actions?: ComponentChildren;
  /** A line below the address. */
  note?: ComponentChildren;
  /** The tab's content, once the server has loaded. `query` offers `reload` and `set` after changes. */
  children: (server: Server, query: Query<Server>, rights: ServerRights) => ComponentChildren;
}

export function ServerFrame({ serverId, tab, actions, note, children }: ServerFrameProps) {
  const query = useServer(serverId);
  const server = query.data;
  const base = `/servers/${serverId}`;
  const rights = useServerRights(server);
  // The server may have been shared, or handed over, since the last page.
  useEffect(reloadMe, [serverId]);
  const isShown = (id: string) => {
    // Apps are connected by people who sign in; only the owner and administrators may see them.
    if (id === 'apps') return rights.manage && server?.auth_type === 'oauth';
    return rights.edit || !editorTabs.includes(id);
  };
  const shownTabs = Object.entries(labels).filter(([id]) => isShown(id) || id === tab);
  const tabs = shownTabs.map(([id, label]) => ({
    href: `${base}/${id}`,
    label,
    count: id === 'tools' ? server?.tool_count : undefined,
  }));
  return (
    <>
      <PageHeader
        title={server?.name ?? 'Server'}
        badge={server && <Status value={server.status} />}
        back={{ href: '/servers', label: 'Servers' }}
        description={
          <>
            {server ? (
              <CopyText text={server.endpoint_url} label="Copy the endpoint URL" />
            ) : (
              <Skeleton width="320px" />
            )}
            {note}
          </>
        }
        actions={rights.edit ? actions : undefined}
      />
      <TabLinks label="Server sections" tabs={tabs} current={`${base}/${tab}`} />
      <div class="server-tab">
        <ViewOnlyNote rights={rights} />
        {query.error && <LoadError title="Could not load the server" error={query.error} onRetry={query.reload} />}
        {server ? children(server, query, rights) : query.loading && <Skeleton lines={4} />}
      </div>
    </>
  );
}
