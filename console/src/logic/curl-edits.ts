/** The user's edits on the Quick add page, apart from the command itself. */
import type { CurlDraft, RowEdit } from './curl-draft';
import type { JsonObject } from './json';
import { splitUrl } from './url-parts';

export interface Edits {
  /** Undefined while the user has not changed the importer's suggestion; likewise `description`. */
  name?: string;
  description?: string;
  rows: Record<string, RowEdit>;
  /** Values of shell variables, by their text. */
  variables?: Record<string, string>;
}

export const noEdits: Edits = { rows: {} };

/** Whether two commands call the same API; edits then carry over from one to the other. */
export function isSameApi(one: CurlDraft, other: CurlDraft): boolean {
  return splitUrl(one.endpoint_url).base === splitUrl(other.endpoint_url).base;
}

/** The tool's entry in `tools/list`. */
export function toolListEntry(name: string, description: string, inputSchema: JsonObject): JsonObject {
  return { name, ...(description === '' ? {} : { description }), inputSchema };
}

/** Separates warnings that prevent saving from the others. The importer starts them with fixed words. */
export function splitWarnings(warnings: readonly string[]): { blocking: string[]; others: string[] } {
  const isBlocking = (text: string) => /^A tool (cannot be saved with this|can use the methods)/.test(text);
  return { blocking: warnings.filter(isBlocking), others: warnings.filter((text) => !isBlocking(text)) };
}

/** Whether a request of this method may change data of the API. */
export function mayChangeData(method: string): boolean {
  return !/^(GET|HEAD|OPTIONS|QUERY)$/i.test(method);
}
