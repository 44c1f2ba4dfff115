/** Outcome of a tool's last call, linked to its calls. */
import type { Tool } from '../../../api/types';
import { Link } from '../../../app/Link';
import { statusLabel } from '../../../logic/call-status';
import { Status } from '../../../ui/Badge';
import { Skeleton } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import type { LastCall } from './use-last-calls';

export function LastStatus({ tool, lastCall }: { tool: Tool; lastCall: LastCall | 'never' | undefined }) {
  if (lastCall === undefined) {
    return (
      <span class="tools-last">
        <Skeleton width="96px" />
      </span>
    );
  }
  if (lastCall === 'never') return <span class="tools-last tools-last-never">Not called yet</span>;
  return (
    <Link class="tools-last" href={`/calls?server=${tool.server_id}&tool=${tool.id}`} title={`Calls of ${tool.name}`}>
      {lastCall.outcome && <Status value={lastCall.outcome} label={statusLabel(lastCall.outcome, lastCall.reason)} />}
      <span class="muted">
        <Time value={lastCall.time} />
      </span>
    </Link>
  );
}
