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
  /** What edits name but the new version does not have. */
  overlay_orphans: string[];
}

/** Where the other version comes from. */
export type RefreshSource = { kind: 'link' } | { kind: 'revision'; revision: number } | SentSource;

type SentSource = Exclude<ImportSource, { kind: 'url' }>;

/** The arguments that name the other version. */
export function refreshArguments(source: RefreshSource): Record<string, unknown> {
  if (source.kind === 'link') return {};
  if (source.kind === 'revision') return { revision: source.revision };
  return sourceArguments(source, undefined);
}

/** How many stored versions a document has at most. */
const revisionsMax = 5;

/** The stored earlier versions, newest first. */
export function earlierRevisions(newest: number): number[] {
  const oldest = Math.max(1, newest - revisionsMax + 1);
  return Array.from({ length: newest - oldest }, (_, index) => newest - 1 - index);
}

export interface DriftChoice {
  /** Ids of the breaking changes to apply. */
  accepted: ReadonlySet<string>;
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
  const accepts = breaking.filter(({ temp_id }) => accepted.has(temp_id)).length;
  return added.length + changed.length + removed.length + accepts;
}

export function hasDrift({ added, removed, changed, breaking }: DocumentDrift): boolean {
  return added.length + removed.length + changed.length + breaking.length > 0;
}

const shownLengthMax = 400;

/** A value as short text; a missing one is `none`. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  const text =
    typeof value === 'string' ? value : Array.isArray(value) || isObject(value) ? prettyJson(value) : String(value);
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text;
}
