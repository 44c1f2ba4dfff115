/** Filters of the call log, stored in the query string. */
import type { Call } from '../../api/types';
import { setQuery } from '../../app/router';
import { type CallFilter, isFiltered } from '../../logic/call-filter';
import { failureReasons, isStatusFilter, reasons } from '../../logic/call-status';
import { Button } from '../../ui/Button';
import { PeriodFilter } from '../../ui/PeriodFilter';
import { ClientFilter, QueryFilters, ServerFilter, ToolFilter } from '../../ui/QueryFilters';
import { Select } from '../../ui/Select';
import { AddressFilter } from './AddressFilter';
import { CallerFilter } from './CallerFilter';
import { clearFilters } from './clear-filters';

const statusOptions = [
  { value: '', label: 'Any status' },
  { value: 'success', label: 'Success' },
  { value: 'failed', label: 'Failed' },
  ...reasons.map((reason) => ({ value: reason, label: `Failed: ${failureReasons[reason].label}` })),
];

export interface CallsFiltersProps {
  filter: CallFilter;
  /** The loaded calls, whose callers are offered. */
  calls: readonly Call[];
}

export function CallsFilters({ filter, calls }: CallsFiltersProps) {
  return (
    <QueryFilters>
      <ServerFilter server={filter.server} />
      <ToolFilter server={filter.server} tool={filter.tool} />
      <ClientFilter client={filter.client} />
      <CallerFilter server={filter.server} caller={filter.caller} calls={calls} />
      <AddressFilter address={filter.client_address} />
      <Select
        label="Status"
        hideLabel
        value={filter.status}
        options={statusOptions}
        onValue={(status) => isStatusFilter(status) && setQuery({ status })}
      />
      <PeriodFilter from={filter.from} to={filter.to} />
      {isFiltered(filter) && (
        <Button variant="ghost" icon="close" onClick={clearFilters}>
          Clear
        </Button>
      )}
    </QueryFilters>
  );
}
