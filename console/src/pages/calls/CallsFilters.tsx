/** Filters of the call log, stored in the query string. */
import { setQuery } from '../../app/router';
import { type CallFilter, isFiltered } from '../../logic/call-filter';
import { failureReasons, isStatusFilter, reasons } from '../../logic/call-status';
import { Button } from '../../ui/Button';
import { PeriodFilter } from '../../ui/PeriodFilter';
import { ClientFilter, KeyFilter, QueryFilters, ServerFilter, ToolFilter } from '../../ui/QueryFilters';
import { Select } from '../../ui/Select';
import { AddressFilter } from './AddressFilter';
import { clearFilters } from './clear-filters';

const statusOptions = [
  { value: '', label: 'Any status' },
  { value: 'success', label: 'Success' },
  { value: 'failed', label: 'Failed' },
  ...reasons.map((reason) => ({ value: reason, label: `Failed: ${failureReasons[reason].label}` })),
];

export function CallsFilters({ filter }: { filter: CallFilter }) {
  return (
    <QueryFilters>
      <ServerFilter server={filter.server} />
      <ToolFilter server={filter.server} tool={filter.tool} />
      <ClientFilter client={filter.client} />
      <KeyFilter server={filter.server} keyId={filter.endpoint_key_id} />
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
