/** The requests of an import: reading a document, and creating the selected tools. */
import { send } from '../../../api/client';
import { ApiError } from '../../../api/errors';
import type { ToolImport } from '../../../api/types';
import type { ApiImport } from '../../../logic/api-import';

const path = '/servers/{server_id}/tools/import-openapi';
/** The service reads one document at a time for a user; it may still read one that was given up. */
const retriesMax = 8;
const retryDelayMs = 700;

/** The arguments of an import. Files are sent as parts of a form, next to the other arguments. */
export interface ImportRequest {
  arguments: Record<string, unknown>;
  files: readonly File[];
}

export async function readDocument(serverId: number, request: ImportRequest): Promise<ApiImport> {
  for (let retries = 0; ; retries += 1) {
    try {
      const response = await send('post', path, { path: { server_id: serverId }, ...requestBody(request) });
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
  const response = await send('post', path, { path: { server_id: serverId }, ...requestBody(committed), signal });
  return (await response.json()) as ToolImport;
}

function requestBody({ arguments: body, files }: ImportRequest): { body: object } | { form: FormData } {
  if (files.length === 0) return { body };
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  // Folders that were chosen have relative paths.
  for (const file of files) form.append('file', file, file.webkitRelativePath || file.name);
  return { form };
}
