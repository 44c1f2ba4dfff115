/** Saves the planned tool: creates it the first time, updates it after that. */
import { patch, post, remove } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { NewTool, Tool } from '../../api/types';
import { newToolShaping } from '../../logic/shaping-form';
import type { PlannedTool, SavedTool } from './use-quick-add';

export async function saveTool(
  tool: PlannedTool,
  serverId: number,
  saved: SavedTool | undefined,
  status: 'active' | 'paused',
): Promise<Tool> {
  const body = bodyOf(tool, status);
  if (saved?.serverId === serverId) return updateTool(saved.id, serverId, body);
  const { data } = await createTool(serverId, body);
  // The user chose another server: remove the test copy from the previous one.
  if (saved) await remove('/tools/{id}', { path: { id: saved.id } }).catch(() => undefined);
  return data;
}

async function updateTool(id: number, serverId: number, body: NewTool): Promise<Tool> {
  try {
    return (await withNameConflict(patch('/tools/{id}', body, { path: { id } }))).data;
  } catch (cause) {
    // The tool was deleted in the meantime.
    if (!(cause instanceof ApiError) || cause.status !== 404) throw cause;
    return (await createTool(serverId, body)).data;
  }
}

function createTool(serverId: number, body: NewTool) {
  const created = { ...body, shaping: newToolShaping };
  return withNameConflict(post('/servers/{server_id}/tools', created, { path: { server_id: serverId } }));
}

/** A 409 conflict names no field. It always concerns the tool's name, so the error is assigned to that field. */
function withNameConflict<T>(request: Promise<T>): Promise<T> {
  return request.catch((cause: unknown) => {
    if (!(cause instanceof ApiError) || cause.status !== 409) throw cause;
    throw new ApiError(cause.message, cause.status, cause.code, { name: cause.message });
  });
}

function bodyOf({ draft, name, description, parts }: PlannedTool, status: 'active' | 'paused'): NewTool {
  return {
    name,
    description,
    // The importer warns about unsupported methods, and the API rejects them.
    http_method: draft.http_method as NonNullable<NewTool['http_method']>,
    ...parts,
    auth_type: draft.auth_type,
    auth_credentials: draft.auth_type === 'none' ? null : draft.auth_credentials,
    body_type: draft.body_type ?? 'json',
    timeout: draft.timeout ?? 30,
    ...(draft.annotations ? { annotations: draft.annotations } : {}),
    status,
  };
}
