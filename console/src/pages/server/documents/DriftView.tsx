/** The differences in three columns: added, changed, and breaking or removed. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from '../../../app/Link';
import { appliedCount, type DriftChoice, type DriftedTool, hasDrift } from '../../../logic/drift';
import { plural } from '../../../logic/format';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { Segmented } from '../../../ui/Segmented';
import { Checkbox } from '../../../ui/Switch';
import { BreakingChanges } from './BreakingChanges';
import type { Comparison } from './use-refresh';

export interface DriftViewProps {
  serverId: number;
  comparison: Comparison;
  busy: boolean;
  onApply: (choice: DriftChoice) => void;
  onCancel: () => void;
}

/** Longer lists are cut, because thousands of links would slow down the page. */
const listedMax = 200;

const removedOptions = [
  { value: 'pause', label: 'Pause them' },
  { value: 'delete', label: 'Delete them' },
] as const;

export function DriftView({ serverId, comparison, busy, onApply, onCancel }: DriftViewProps) {
  const { drift, source } = comparison;
  const [choice, setChoice] = useState<DriftChoice>({ accepted: new Set(), deletesRemoved: false });
  const { added, changed, breaking, removed, unchanged, overlay_orphans: orphans } = drift;
  const allIds = breaking.map(({ temp_id }) => temp_id);
  const acceptAll = (isAccepted: boolean) => setChoice({ ...choice, accepted: new Set(isAccepted ? allIds : []) });
  const accept = (id: string, isAccepted: boolean) => {
    const accepted = new Set(choice.accepted);
    if (isAccepted) accepted.add(id);
    else accepted.delete(id);
    setChoice({ ...choice, accepted });
  };
  if (!hasDrift(drift)) {
    const same = plural(unchanged, 'tool is', 'tools are');
    return <Callout tone="good" title="No differences">{`${same} the same in this version.`}</Callout>;
  }
  const count = appliedCount(drift, choice);
  const isEarlier = source.kind === 'revision';
  return (
    <section class="stack" aria-label="Differences">
      <div class="documents-columns">
        <DriftColumn title="Added" count={added.length} note="Created as paused tools.">
          {added.slice(0, listedMax).map(({ temp_id, operation }) => (
            <li key={temp_id}>
              <code>{operation}</code>
            </li>
          ))}
        </DriftColumn>
        <DriftColumn title="Changed" count={changed.length} note="Updated in place: clients keep working.">
          {changed.slice(0, listedMax).map((tool) => (
            <ToolItem key={tool.temp_id} serverId={serverId} tool={tool} />
          ))}
        </DriftColumn>
        <DriftColumn
          title="Breaking and removed"
          count={breaking.length + removed.length}
          note="Breaking changes are applied only if you accept them."
        >
          {breaking.length > 1 && (
            <li>
              <Checkbox
                label={`Accept all ${breaking.length} breaking changes`}
                checked={choice.accepted.size === breaking.length}
                onValue={acceptAll}
              />
            </li>
          )}
          {breaking.slice(0, listedMax).map((tool) => (
            <li key={tool.temp_id}>
              <BreakingChanges
                serverId={serverId}
                tool={tool}
                isAccepted={choice.accepted.has(tool.temp_id)}
                onAccept={(isAccepted) => accept(tool.temp_id, isAccepted)}
              />
            </li>
          ))}
          {removed.length > 0 && (
            <li class="stack stack-tight">
              <p>{plural(removed.length, 'operation was', 'operations were')} removed. The tools:</p>
              <div>
                <Segmented
                  label="Tools of removed operations"
                  value={choice.deletesRemoved ? 'delete' : 'pause'}
                  options={removedOptions}
                  onValue={(value) => setChoice({ ...choice, deletesRemoved: value === 'delete' })}
                />
              </div>
            </li>
          )}
          {removed.slice(0, listedMax).map((tool) => (
            <ToolItem key={tool.temp_id} serverId={serverId} tool={tool} />
          ))}
        </DriftColumn>
      </div>
      {orphans.length > 0 && (
        <Callout tone="warn" title="Edits without a target">
          These edits are kept, but have no effect in this version: {orphans.join(', ')}.
        </Callout>
      )}
      <div class="row">
        <Button variant="primary" busy={busy} disabled={count === 0} onClick={() => onApply(choice)}>
          {`${isEarlier ? `Roll back to revision ${source.revision}` : 'Apply'}: ${plural(count, 'tool')}`}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        <span class="muted small">
          {plural(unchanged, 'tool')} unchanged. All changes are applied together, or none.
        </span>
      </div>
    </section>
  );
}

interface DriftColumnProps {
  title: string;
  count: number;
  note: string;
  children: ComponentChildren;
}

function DriftColumn({ title, count, note, children }: DriftColumnProps) {
  return (
    <section class="card documents-column" aria-label={title}>
      <div>
        <h3>
          {title} <span class="muted number">{count}</span>
        </h3>
        <p class="muted small">{count === 0 ? 'Nothing.' : note}</p>
        {count > listedMax && <p class="muted small">The first {listedMax} are listed.</p>}
      </div>
      <ul class="documents-list">{children}</ul>
    </section>
  );
}

function ToolItem({ serverId, tool }: { serverId: number; tool: DriftedTool }) {
  return (
    <li>
      <Link class="documents-tool" href={`/servers/${serverId}/tools/${tool.tool_id}`}>
        {tool.name}
      </Link>
      <p class="muted small">
        <code>{tool.operation}</code>
      </p>
    </li>
  );
}
