/** Every value of the request, by the place where it is sent. */
import { useState } from 'preact/hooks';
import type { Location, RowEdit } from '../../logic/curl-draft';
import { Button } from '../../ui/Button';
import type { PlannedTool } from './use-quick-add';
import { ValueItem } from './ValueItem';

const headings: Record<Location, string> = { path: 'Path', query: 'Query', header: 'Headers', body: 'Body' };
const locations: Location[] = ['path', 'query', 'header', 'body'];

/** A body may have 900 fields: so many are drawn at once. */
const chunk = 40;

export interface ValueListProps {
  tool: PlannedTool;
  onEdit: (id: string, changes: RowEdit) => void;
}

export function ValueList({ tool, onEdit }: ValueListProps) {
  if (tool.rows.length === 0) return <p class="muted small">Nothing in this request can vary.</p>;
  return (
    <>
      {locations.map((location) => (
        <ValueGroup key={location} location={location} tool={tool} onEdit={onEdit} />
      ))}
    </>
  );
}

function ValueGroup({ location, tool, onEdit }: ValueListProps & { location: Location }) {
  const [drawn, setDrawn] = useState(chunk);
  const rows = tool.rows.filter((row) => row.location === location);
  if (rows.length === 0) return null;
  return (
    <section class="quick-add-group" aria-label={headings[location]}>
      <h3 class="quick-add-heading">
        {headings[location]}
        {location === 'body' && <span class="quick-add-body-type">{tool.draft.body_type ?? 'json'}</span>}
      </h3>
      <ul>
        {rows.slice(0, drawn).map((row) => (
          <ValueItem key={row.id} row={row} fault={tool.faults[row.id]} onEdit={(changes) => onEdit(row.id, changes)} />
        ))}
      </ul>
      {rows.length > drawn && (
        <Button size="small" variant="ghost" onClick={() => setDrawn(drawn + chunk)}>
          {rows.length - drawn} more
        </Button>
      )}
    </section>
  );
}
