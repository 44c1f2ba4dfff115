/** Failing tools, most failures first, with the last reason and advice. */
import type { CallDetail, ToolUsage } from '../../api/types';
import { Link } from '../../app/Link';
import { statusLabel } from '../../logic/call-status';
import { formatPercent, plural } from '../../logic/format';
import { type FailingTool, failingTools } from '../../logic/home';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';

const rowsMax = 6;

export interface FailingToolsProps {
  /** Undefined while it loads. */
  report: { tools: ToolUsage[]; failedCalls: Omit<CallDetail, 'arguments' | 'response'>[] } | undefined;
}

export function FailingTools({ report }: FailingToolsProps) {
  const failing = report && failingTools(report.tools, report.failedCalls, rowsMax);
  return (
    <Card
      title="Failing tools"
      description="Since yesterday, UTC"
      actions={
        <Button size="small" variant="ghost" href="/calls?status=failed">
          All failed calls
        </Button>
      }
    >
      {failing === undefined && <Skeleton lines={3} height="20px" />}
      {failing?.length === 0 && (
        <p class="home-ok">
          <Icon name="check" />
          {report?.tools.length === 0 ? 'No calls yet.' : 'No failures.'}
        </p>
      )}
      {failing && failing.length > 0 && (
        <ul>
          {failing.map((tool) => (
            <FailingRow key={tool.tool_id} tool={tool} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function FailingRow({ tool }: { tool: FailingTool }) {
  const { lastFailedCall } = tool;
  return (
    <li class="home-row home-failing">
      <div class="grow">
        <p class="home-line">
          <Link class="home-link truncate" href={`/servers/${tool.server_id}/tools/${tool.tool_id}`}>
            {tool.tool_name}
          </Link>
          <Link class="home-sub truncate" href={`/servers/${tool.server_id}/tools`}>
            {tool.server_name}
          </Link>
        </p>
        {lastFailedCall && (
          <p class="home-reason">
            {lastFailedCall.reason && <Badge tone="bad">{statusLabel('failed', lastFailedCall.reason)}</Badge>}{' '}
            <Time value={lastFailedCall.time} />
            {lastFailedCall.advice && <span class="muted"> · {lastFailedCall.advice}</span>}
          </p>
        )}
      </div>
      <Link class="home-count" href={`/calls?tool=${tool.tool_id}&status=failed`}>
        {plural(tool.failures, 'failure')}
        <span class="muted small">
          {formatPercent(tool.failure_rate)} of {plural(tool.calls, 'call')}
        </span>
      </Link>
    </li>
  );
}
