/** The tools of a server: loaded whole, because their order is one list, and changed in place. */
import { useRef } from 'preact/hooks';
import { get, post, remove } from '../../../api/client';
import { type ApiError, toApiError } from '../../../api/errors';
import type { Tool } from '../../../api/types';
import { useQuery } from '../../../api/use-query';
import { navigate } from '../../../app/router';
import { inOrder } from '../../../logic/reorder';
import { toast } from '../../../ui/Toast';

export interface Tools {
  /** Undefined while they load. */
  all: readonly Tool[] | undefined;
  error: ApiError | undefined;
  reload: () => void;
  /** Shown at once and saved behind it; where saving fails, the saved order comes back. */
  reorder: (ids: readonly number[]) => void;
  toggle: (tool: Tool) => Promise<void>;
  duplicate: (tool: Tool) => Promise<void>;
  /** Throws what went wrong, for the question on the screen to say. */
  remove: (tool: Tool) => Promise<void>;
}

export function useTools(serverId: number, onCount: () => void): Tools {
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
  const counted = () => {
    query.reload();
    onCount();
  };
  return {
    all: query.data,
    error: query.data ? undefined : query.error,
    reload: query.reload,
    reorder(ids) {
      change((tools) => inOrder(tools, ids));
      saveOrder((latest.current ?? []).map(({ id }) => id));
    },
    async toggle(tool) {
      await orSay(async () => {
        const { data } = await post('/tools/{id}/toggle', undefined, { path: { id: tool.id } });
        change((tools) => tools.map((one) => (one.id === data.id ? data : one)));
      });
      // The switch has moved by itself: drawn again, it shows what is so.
      change((tools) => [...tools]);
    },
    async duplicate(tool) {
      await orSay(async () => {
        const { data } = await post('/tools/{id}/duplicate', undefined, { path: { id: tool.id } });
        counted();
        const edit = { label: 'Edit', run: () => void navigate(`/servers/${serverId}/tools/${data.id}`) };
        toast(`${data.name} was made.`, { action: edit });
      });
    },
    async remove(tool) {
      await remove('/tools/{id}', { path: { id: tool.id } });
      change((tools) => tools.filter(({ id }) => id !== tool.id));
      onCount();
      toast(`${tool.name} was deleted.`);
    },
  };
}

/** One request at a time, and of orders that come meanwhile only the last: a held arrow key makes many. */
function useOrderSaver(serverId: number, onFailed: () => void): (ids: number[]) => void {
  const state = useRef<{ wanted: number[] | undefined; busy: boolean }>({ wanted: undefined, busy: false });
  return async (ids) => {
    const saver = state.current;
    saver.wanted = ids;
    if (saver.busy) return;
    saver.busy = true;
    try {
      while (saver.wanted) {
        const tool_ids: number[] = saver.wanted;
        saver.wanted = undefined;
        await post('/servers/{server_id}/tools/reorder', { tool_ids }, { path: { server_id: serverId } });
      }
    } catch (cause) {
      toast(`The order could not be saved. ${toApiError(cause).message}`, { tone: 'bad' });
      onFailed();
    } finally {
      saver.busy = false;
    }
  };
}

/** A row has no place for an error: it is told at the edge of the screen. */
async function orSay(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (cause) {
    toast(toApiError(cause).message, { tone: 'bad' });
  }
}
