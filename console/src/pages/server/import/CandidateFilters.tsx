/** Search and filters above the candidates. */
import type { Candidate } from '../../../logic/api-import';
import { formatCount } from '../../../logic/format';
import { type CandidateFilter, candidateViews, countMethods, type ValueCount } from '../../../logic/import-filter';
import { Select } from '../../../ui/Select';
import { Toolbar } from '../../../ui/Toolbar';

export interface CandidateFiltersProps {
  filter: CandidateFilter;
  onFilter: (filter: CandidateFilter) => void;
  candidates: readonly Candidate[];
  tags: readonly ValueCount[];
  shown: readonly Candidate[];
}

export function CandidateFilters({ filter, onFilter, candidates, tags, shown }: CandidateFiltersProps) {
  const methods = countMethods(candidates);
  return (
    <Toolbar
      search={{
        label: 'Search operations',
        value: filter.search,
        onValue: (search) => onFilter({ ...filter, search }),
      }}
      end={
        <span class="muted small number" role="status">
          {shown.length === candidates.length
            ? formatCount(candidates.length)
            : `${formatCount(shown.length)} of ${formatCount(candidates.length)}`}{' '}
          shown
        </span>
      }
    >
      {tags.length > 0 && (
        <Select
          label="Tag"
          hideLabel
          value={filter.tag}
          options={withAll('All tags', tags)}
          onValue={(tag) => onFilter({ ...filter, tag })}
        />
      )}
      {methods.length > 1 && (
        <Select
          label="Method"
          hideLabel
          value={filter.method}
          options={withAll('All methods', methods)}
          onValue={(method) => onFilter({ ...filter, method })}
        />
      )}
      <Select
        label="Show"
        hideLabel
        value={filter.view}
        options={candidateViews}
        onValue={(view) => onFilter({ ...filter, view })}
      />
    </Toolbar>
  );
}

function withAll(label: string, values: readonly ValueCount[]) {
  return [
    { value: '', label },
    ...values.map(({ value, count }) => ({ value, label: `${value.slice(0, 60)} (${formatCount(count)})` })),
  ];
}
