/** Filters for the candidates of an import. */
import { type Candidate, longestText, longTextMin, splitOperation } from './api-import';
import { toolTokensMax } from './import-selection';

export const candidateViews = [
  { value: '', label: 'All operations' },
  { value: 'selected', label: 'Selected' },
  { value: 'unselected', label: 'Not selected' },
  { value: 'warnings', label: 'With warnings' },
  { value: 'taken', label: 'Name is taken' },
  { value: 'current', label: 'Not deprecated' },
  { value: 'deprecated', label: 'Deprecated' },
  { value: 'large', label: 'Over 2,000 tokens' },
  { value: 'long', label: 'Long texts' },
] as const;

export type CandidateView = (typeof candidateViews)[number]['value'];

export interface CandidateFilter {
  search: string;
  /** Empty for all. */
  tag: string;
  /** Empty for all. */
  method: string;
  view: CandidateView;
}

export const noFilter: CandidateFilter = { search: '', tag: '', method: '', view: '' };

/** All words of the search must occur in the name, the operation, the description or the tags. */
export function filterCandidates(
  candidates: readonly Candidate[],
  { search, tag, method, view }: CandidateFilter,
  selected: ReadonlySet<string>,
): readonly Candidate[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && tag === '' && method === '' && view === '') return candidates;
  return candidates.filter((candidate) => {
    if (tag !== '' && !candidate.tags.includes(tag)) return false;
    if (method !== '' && methodOf(candidate) !== method) return false;
    if (!isInView(candidate, view, selected)) return false;
    const { name, operation, description, tags } = candidate;
    const text = [name, operation, description, ...tags].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function isInView(candidate: Candidate, view: CandidateView, selected: ReadonlySet<string>): boolean {
  switch (view) {
    case '':
      return true;
    case 'selected':
      return selected.has(candidate.temp_id);
    case 'unselected':
      return !selected.has(candidate.temp_id);
    case 'warnings':
      return candidate.warnings.length > 0;
    case 'taken':
      return candidate.conflict !== null;
    case 'current':
      return !candidate.deprecated;
    case 'deprecated':
      return candidate.deprecated;
    case 'large':
      return candidate.estimated_tokens > toolTokensMax;
    case 'long':
      return longestText(candidate) > longTextMin;
  }
}

export interface ValueCount {
  value: string;
  count: number;
}

/** The tags, those with the most operations first. */
export function countTags(candidates: readonly Candidate[]): ValueCount[] {
  return count(candidates.flatMap(({ tags }) => tags)).sort(
    (a, b) => b.count - a.count || a.value.localeCompare(b.value),
  );
}

export function countMethods(candidates: readonly Candidate[]): ValueCount[] {
  return count(candidates.map(methodOf));
}

function methodOf({ operation, http_method }: Candidate): string {
  return http_method || splitOperation(operation).method;
}

function count(values: readonly string[]): ValueCount[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count }));
}
