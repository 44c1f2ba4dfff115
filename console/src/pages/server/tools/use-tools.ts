/** The tools of a server, and their actions. Loaded without paging, because reordering needs the complete list. */
import { useRef } from 'preact/hooks';
import { get, post, remove } from '../../../api/client';
import { type ApiError, toApiError } from '../../../api/errors';
import type { Tool } from '../../../api/types';
import { useQuery } from '../../../api/use-query';
import { navigate } from '../../../app/router';
import { sortByIds } from '../../../logic/reorder';
import { toast } from '../../../ui/Toast';

export interface Tools {
  /** Undefined while they load. */
  all: readonly Tool[] | undefined;
  error: ApiError | undefined;
  reload: () => void;
  /** Updates the list immediately and saves in the background; reloads the saved order on failure. */
  reorder: (ids: readonly number[]) => void;
  toggle: (tool: Tool) => Promise<void>;
  duplicate: (tool: Tool) => Promise<void>;
  /** Throws on failure, so that the confirmation dialog shows the error. */
  remove: (tool: Tool) => Promise<void>;
}

/** `onChanged` is called after every change to the list that clients get. */
export function useTools(serverId: number, onChanged: () => void): Tools {
  const query = useQuery(
    async (signal) => (await get('/servers/{server_id}/tools', { path: { server_id: serverId }, signal })).data,
    [serverId],
  );
  const latest = useRef(query.data);
  latest.current = query.data;
  const saveOrder = useOrderSaver(serverId, query.reload);

  const change = (next: (tools: readonly Tool[]) => Tool[]) => {
    const changed = next(latest.current ?? []);
    latest.current = changed;
    query.set(changed);
  };
  const reloadAll = () => {
    query.reload();
    onChanged();
  };
  return {
    all: query.data,
    error: query.data ? undefined : query.error,
    reload: query.reload,
    reorder(ids) {
      change((tools) => sortByIds(tools, ids));
      saveOrder((latest.current ?? []).map(({ id }) => id));
    },
    async toggle(tool) {
      await withErrorToast(async () => {
        const { data } = await post('/tools/{id}/toggle', undefined, { path: { id: tool.id } });
        change((tools) => tools.map((one) => (one.id === data.id ? data : one)));
        onChanged();
      });
      // The browser has toggled the switch: rendering again resets it to the actual status.
      change((tools) => [...tools]);
    },
    async duplicate(tool) {
      await withErrorToast(async () => {
        const { data } = await post('/tools/{id}/duplicate', undefined, { path: { id: tool.id } });
        reloadAll();
        const edit = { label: 'Edit', run: () => void navigate(`/servers/${serverId}/tools/${data.id}`) };
        toast(`Created ${data.name}.`, { action: edit });
      });
    },
    async remove(tool) {
      await remove('/tools/{id}', { path: { id: tool.id } });
      change((tools) => tools.filter(({ id }) => id !== tool.id));
      onChanged();
      toast(`Deleted ${tool.name}.`);
    },
  };
}

/** Sends one request at a time, and skips all but the last pending order: a held arrow key produces many. */
function useOrderSaver(serverId: number, onFailed: () => void): (ids: number[]) => void {
  const state = useRef<{ pendingIds: number[] | undefined; busy: boolean }>({ pendingIds: undefined, busy: false });
  return async (ids) => {
    const saver = state.current;
    saver.pendingIds = ids;
    if (saver.busy) return;
    saver.busy = true;
    try {
      while (saver.pendingIds) {
        const tool_ids: number[] = saver.pendingIds;
        saver.pendingIds = undefined;
        await post('/servers/{server_id}/tools/reorder', { tool_ids }, { path: { server_id: serverId } });
      }
    } catch (cause) {
      toast(`Could not save the order. ${toApiError(cause).message}`, { tone: 'bad' });
      onFailed();
    } finally {
      saver.busy = false;
    }
  };
}

/** Shows errors as a toast, because a row has no space for them. */
async function withErrorToast(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (cause) {
    toast(toApiError(cause).message, { tone: 'bad' });
  }
}
