/** Requests that send a document. */

/** The arguments of an import. Files are sent as parts of a form, next to the other arguments. */
export interface ImportRequest {
  arguments: Record<string, unknown>;
  files: readonly File[];
}

/** A JSON body, or a form if there are files. */
export function importBody({ arguments: body, files }: ImportRequest): { body: object } | { form: FormData } {
  if (files.length === 0) return { body };
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  // Files of a chosen folder have a path relative to it.
  for (const file of files) form.append('file', file, file.webkitRelativePath || file.name);
  return { form };
}
