/** What somebody made of a pasted command on the Quick add page, apart from the command itself. */
import type { CurlDraft, RowEdit } from './curl-draft';
import type { JsonObject } from './json';
import { splitUrl } from './url-parts';

export interface Edits {
  /** Undefined: as the importer suggests. */
  name?: string;
  description?: string;
  rows: Record<string, RowEdit>;
}

export const noEdits: Edits = { rows: {} };

/** Whether two commands are of one API: then what was said about the one holds for the other. */
export function isSameApi(one: CurlDraft, other: CurlDraft): boolean {
  return splitUrl(one.endpoint_url).base === splitUrl(other.endpoint_url).base;
}

/** What an AI client reads about the tool: its entry in `tools/list`. */
export function modelView(name: string, description: string, inputSchema: JsonObject): JsonObject {
  return { name, ...(description === '' ? {} : { description }), inputSchema };
}

/** The warnings that keep the tool from being saved, and the others. */
export function sortWarnings(warnings: readonly string[]): { blocking: string[]; others: string[] } {
  const isBlocking = (text: string) => /^A tool (cannot be saved with this|can use the methods)/.test(text);
  return { blocking: warnings.filter(isBlocking), others: warnings.filter((text) => !isBlocking(text)) };
}
