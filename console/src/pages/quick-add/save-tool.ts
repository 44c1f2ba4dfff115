/** Puts the planned tool into its server: made at the first time, changed after that. */
import { patch, post, remove } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { NewTool, Tool } from '../../api/types';
import type { PlannedTool, SavedTool } from './use-quick-add';

export async function saveTool(
  tool: PlannedTool,
  serverId: number,
  saved: SavedTool | undefined,
  status: 'active' | 'paused',
): Promise<Tool> {
  const body = bodyOf(tool, status);
  if (saved?.serverId === serverId) return change(saved.id, serverId, body);
  const { data } = await named(post('/servers/{server_id}/tools', body, { path: { server_id: serverId } }));
  // Another server was chosen since: what was tried out in the one before is not wanted there.
  if (saved) await remove('/tools/{id}', { path: { id: saved.id } }).catch(() => undefined);
  return data;
}

async function change(id: number, serverId: number, body: NewTool): Promise<Tool> {
  try {
    return (await named(patch('/tools/{id}', body, { path: { id } }))).data;
  } catch (cause) {
    // Somebody deleted it meanwhile.
    if (!(cause instanceof ApiError) || cause.status !== 404) throw cause;
    return (await named(post('/servers/{server_id}/tools', body, { path: { server_id: serverId } }))).data;
  }
}

/** A name that is taken is a conflict, which names no field: it is told beside the name. */
function named<T>(request: Promise<T>): Promise<T> {
  return request.catch((cause: unknown) => {
    if (!(cause instanceof ApiError) || cause.status !== 409) throw cause;
    throw new ApiError(cause.message, cause.status, cause.code, { name: cause.message });
  });
}

function bodyOf({ draft, name, description, parts }: PlannedTool, status: 'active' | 'paused'): NewTool {
  return {
    name,
    description,
    // Methods that tools do not have come with a warning; the service says no to them beside the form.
    http_method: draft.http_method as NonNullable<NewTool['http_method']>,
    ...parts,
    auth_type: draft.auth_type,
    auth_credentials: draft.auth_type === 'none' ? null : draft.auth_credentials,
    body_type: draft.body_type ?? 'json',
    timeout: draft.timeout ?? 30,
    status,
  };
}
