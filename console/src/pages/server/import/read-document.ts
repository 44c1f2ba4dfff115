/** The requests of an import: reading a document, and creating the selected tools. */
import { send } from '../../../api/client';
import { ApiError } from '../../../api/errors';
import type { ToolImport } from '../../../api/types';
import type { ApiImport } from '../../../logic/api-import';
import { type ImportRequest, importBody } from '../../../logic/import-request';

const path = '/servers/{server_id}/tools/import-openapi';
/** The service reads one document at a time for each user, and may still read one whose request was cancelled. */
const retriesMax = 8;
const retryDelayMs = 700;

export async function readDocument(serverId: number, request: ImportRequest): Promise<ApiImport> {
  for (let retries = 0; ; retries += 1) {
    try {
      const response = await send('post', path, { path: { server_id: serverId }, ...importBody(request) });
      // openapi.json defines the type; it describes servers and security schemes only as objects.
      return (await response.json()) as ApiImport;
    } catch (cause) {
      const isBusy = cause instanceof ApiError && cause.code === 'rest_too_many_imports';
      if (!isBusy || retries >= retriesMax) throw cause;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}

export async function commitImport(serverId: number, request: ImportRequest, signal: AbortSignal): Promise<ToolImport> {
  const committed = { ...request, arguments: { ...request.arguments, commit: true } };
  const response = await send('post', path, { path: { server_id: serverId }, ...importBody(committed), signal });
  return (await response.json()) as ToolImport;
}
