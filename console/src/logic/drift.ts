/** What a new version of a document changes in its tools. */

import { type ImportSource, sourceArguments } from './import-source';
import { isObject, prettyJson } from './json';

export interface AddedOperation {
  operation: string;
  temp_id: string;
}

export interface DriftedTool extends AddedOperation {
  tool_id: number;
  name: string;
}

export interface DriftChange {
  pointer: string;
  was: unknown;
  now: unknown;
}

export interface BrokenTool extends DriftedTool {
  changes: DriftChange[];
}

export interface DocumentDrift {
  added: AddedOperation[];
  removed: DriftedTool[];
  changed: DriftedTool[];
  breaking: BrokenTool[];
  /** Number of tools that stay as they are. */
  unchanged: number;
  /** Operations and arguments that the user's edits refer to, but that the new version does not have. */
  overlay_orphans: string[];
}

/** Where the version to refresh to comes from. */
export type RefreshSource = { kind: 'link' } | { kind: 'revision'; revision: number } | UploadedSource;

type UploadedSource = Exclude<ImportSource, { kind: 'url' }>;

/** The request arguments that select the version to refresh to. */
export function refreshArguments(source: RefreshSource): Record<string, unknown> {
  if (source.kind === 'link') return {};
  if (source.kind === 'revision') return { revision: source.revision };
  return sourceArguments(source, undefined);
}

/** The service stores at most this many versions of a document. */
const revisionsMax = 5;

/** The stored earlier versions, newest first. */
export function earlierRevisions(newest: number): number[] {
  const oldest = Math.max(1, newest - revisionsMax + 1);
  return Array.from({ length: newest - oldest }, (_, index) => newest - 1 - index);
}

export interface DriftChoice {
  /** The `temp_id` of each tool whose breaking changes are applied. */
  accepted: ReadonlySet<string>;
  /** Tools whose operation was removed are deleted; otherwise they are paused. */
  deletesRemoved: boolean;
}

/** The arguments of the commit. */
export function commitArguments({ accepted, deletesRemoved }: DriftChoice): Record<string, unknown> {
  return {
    commit: true,
    removed: deletesRemoved ? 'delete' : 'pause',
    ...(accepted.size > 0 ? { selected_temp_ids: [...accepted] } : {}),
  };
}

/** How many tools the commit changes. */
export function appliedCount(drift: DocumentDrift, { accepted }: DriftChoice): number {
  const { added, changed, removed, breaking } = drift;
  const acceptedCount = breaking.filter(({ temp_id }) => accepted.has(temp_id)).length;
  return added.length + changed.length + removed.length + acceptedCount;
}

export function hasDrift({ added, removed, changed, breaking }: DocumentDrift): boolean {
  return added.length + removed.length + changed.length + breaking.length > 0;
}

/** In characters. */
const shownLengthMax = 400;

/** A value as short text; a missing one is `none`. */
export function shortValueText(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  const text =
    typeof value === 'string' ? value : Array.isArray(value) || isObject(value) ? prettyJson(value) : String(value);
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text;
}
