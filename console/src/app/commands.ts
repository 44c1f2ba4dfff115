/** Commands of the command palette: Quick add, import, pages and servers. */

import { get } from '../api/client';
import { isMemberRole } from '../logic/page-access';
import { looksLikeCurl } from '../logic/pasted';
import type { IconName } from '../ui/Icon';
import { openImport } from './import-document';
import { destinationsFor } from './navigation';
import { openQuickAdd } from './quick-add';
import { navigate } from './router';

export interface Command {
  id: string;
  label: string;
  hint?: string | undefined;
  icon: IconName;
  run: () => void;
}

/** Returns the commands that match the typed text; it may send a request. */
export type CommandSource = (text: string, signal: AbortSignal) => Command[] | Promise<Command[]>;

/** The sources for a role, in display order. */
export function commandSources(role: string | undefined): CommandSource[] {
  const pages: CommandSource = (text) => pageCommands(text, role);
  return isMemberRole(role) ? [pages] : [quickAddCommands, importCommands, pages, serverCommands];
}

function quickAddCommands(text: string): Command[] {
  if (looksLikeCurl(text)) {
    return [{ id: 'curl', label: 'Create a tool from this curl command', icon: 'bolt', run: () => openQuickAdd(text) }];
  }
  const label = 'Quick add: create a tool from a curl command';
  return matches(label, text) ? [{ id: 'quick-add', label, icon: 'bolt', run: () => openQuickAdd() }] : [];
}

function importCommands(text: string): Command[] {
  const label = 'Import an API: OpenAPI, Swagger, Postman, HAR';
  return matches(label, text) ? [{ id: 'import', label, icon: 'download', run: openImport }] : [];
}

function pageCommands(text: string, role: string | undefined): Command[] {
  return destinationsFor(role)
    .filter(({ label }) => matches(label, text))
    .map(({ href, label, icon }) => ({ id: href, label, icon, hint: 'Page', run: () => void navigate(href) }));
}

async function serverCommands(text: string, signal: AbortSignal): Promise<Command[]> {
  if (looksLikeCurl(text)) return [];
  const { data } = await get('/servers', {
    query: { search: text.trim(), per_page: 8, orderby: 'name', order: 'ASC' },
    signal,
  });
  return data.map(({ id, name }) => ({
    id: `server-${id}`,
    label: name,
    icon: 'server',
    hint: 'Server',
    run: () => void navigate(`/servers/${id}/tools`),
  }));
}

function matches(label: string, text: string): boolean {
  return label.toLowerCase().includes(text.trim().toLowerCase());
}
