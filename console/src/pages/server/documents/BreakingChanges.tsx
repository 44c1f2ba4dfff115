/** The breaking changes of one tool, with the values before and after. */
import { Link } from '../../../app/Link';
import { type BrokenTool, shortValueText } from '../../../logic/drift';
import { Checkbox } from '../../../ui/Switch';

export interface BreakingChangesProps {
  serverId: number;
  tool: BrokenTool;
  isAccepted: boolean;
  onAccept: (isAccepted: boolean) => void;
}

export function BreakingChanges({ serverId, tool, isAccepted, onAccept }: BreakingChangesProps) {
  return (
    <div class="stack stack-tight">
      <Checkbox label={`Accept ${tool.name}`} checked={isAccepted} onValue={onAccept} />
      <p class="muted small">
        <code>{tool.operation}</code>{' '}
        <Link href={`/servers/${serverId}/tools/${tool.tool_id}`} aria-label={`Open ${tool.name}`}>
          Open
        </Link>
      </p>
      <dl class="documents-changes">
        {tool.changes.map(({ pointer, was, now }) => (
          <div key={pointer} class="documents-change">
            <dt>
              <code>{pointer}</code>
            </dt>
            <dd>
              <span class="muted small">was</span>
              <pre class="documents-value documents-was">{shortValueText(was)}</pre>
            </dd>
            <dd>
              <span class="muted small">now</span>
              <pre class="documents-value documents-now">{shortValueText(now)}</pre>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
