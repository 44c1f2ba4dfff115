/** The selected candidates of an import, and the tokens that they cost. */
import type { Candidate } from './api-import';

/** The page warns above these numbers; they are not limits of the service. */
export const toolTokensMax = 2_000;
export const selectedTokensMax = 20_000;
export const selectedToolsMax = 40;
/** The limit of the service for one import, and for a server. */
export const committedToolsMax = 1_000;

export type Selection = ReadonlySet<string>;

/** All candidates that are not deprecated. */
export function initialSelection(candidates: readonly Candidate[]): Selection {
  return new Set(candidates.filter(({ deprecated }) => !deprecated).map(({ temp_id }) => temp_id));
}

/** Selects or deselects candidates; the others stay as they are. */
export function setSelected(selection: Selection, candidates: readonly Candidate[], isSelected: boolean): Selection {
  const changed = new Set(selection);
  for (const { temp_id } of candidates) {
    if (isSelected) changed.add(temp_id);
    else changed.delete(temp_id);
  }
  return changed;
}

/** The candidates between two positions of the list, in either direction. */
export function candidateRange(candidates: readonly Candidate[], from: number, to: number): readonly Candidate[] {
  return candidates.slice(Math.min(from, to), Math.max(from, to) + 1);
}

export interface SelectionSums {
  tools: number;
  tokens: number;
  /** Tools over `toolTokensMax`. */
  large: number;
  /** Tools whose name another tool of the server already has. */
  taken: number;
  /** Tools by the credential that they use. */
  credentials: ReadonlyMap<string, number>;
}

export function sumSelection(candidates: readonly Candidate[], selection: Selection): SelectionSums {
  const credentials = new Map<string, number>();
  const sums = { tools: 0, tokens: 0, large: 0, taken: 0 };
  for (const { temp_id, estimated_tokens, conflict, credential } of candidates) {
    if (!selection.has(temp_id)) continue;
    sums.tools += 1;
    sums.tokens += estimated_tokens;
    if (estimated_tokens > toolTokensMax) sums.large += 1;
    if (conflict !== null) sums.taken += 1;
    if (credential !== null) credentials.set(credential, (credentials.get(credential) ?? 0) + 1);
  }
  return { ...sums, credentials };
}

/** Whether all, some or none of the candidates are selected. */
export function selectionState(candidates: readonly Candidate[], selection: Selection): 'all' | 'some' | 'none' {
  const selected = candidates.filter(({ temp_id }) => selection.has(temp_id)).length;
  if (selected === 0) return 'none';
  return selected === candidates.length ? 'all' : 'some';
}
