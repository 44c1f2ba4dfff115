/** Every value of the request, by location. */
import { useState } from 'preact/hooks';
import type { RowEdit, ValueLocation } from '../../logic/curl-draft';
import { Button } from '../../ui/Button';
import type { PlannedTool } from './use-quick-add';
import { ValueItem } from './ValueItem';

const headings: Record<ValueLocation, string> = { path: 'Path', query: 'Query', header: 'Headers', body: 'Body' };
const locations: ValueLocation[] = ['path', 'query', 'header', 'body'];

/** Rows rendered at a time: a body may have hundreds of fields. */
const pageSize = 40;

export interface ValueListProps {
  tool: PlannedTool;
  onEdit: (id: string, changes: RowEdit) => void;
}

export function ValueList({ tool, onEdit }: ValueListProps) {
  if (tool.rows.length === 0) return <p class="muted small">This request has no values that can vary.</p>;
  return (
    <>
      {locations.map((location) => (
        <ValueGroup key={location} location={location} tool={tool} onEdit={onEdit} />
      ))}
    </>
  );
}

function ValueGroup({ location, tool, onEdit }: ValueListProps & { location: ValueLocation }) {
  const [shownCount, setShownCount] = useState(pageSize);
  const rows = tool.rows.filter((row) => row.location === location);
  if (rows.length === 0) return null;
  return (
    <section class="quick-add-group" aria-label={headings[location]}>
      <h3 class="quick-add-heading">
        {headings[location]}
        {location === 'body' && <span class="quick-add-body-type">{tool.draft.body_type ?? 'json'}</span>}
      </h3>
      <ul>
        {rows.slice(0, shownCount).map((row) => (
          <ValueItem key={row.id} row={row} error={tool.errors[row.id]} onEdit={(changes) => onEdit(row.id, changes)} />
        ))}
      </ul>
      {rows.length > shownCount && (
        <Button size="small" variant="ghost" onClick={() => setShownCount(shownCount + pageSize)}>
          Show {rows.length - shownCount} more
        </Button>
      )}
    </section>
  );
}
