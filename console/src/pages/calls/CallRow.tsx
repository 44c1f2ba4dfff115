/** One row of the call log. */
import type { Call } from '../../api/types';
import { Link } from '../../app/Link';
import { statusLabel } from '../../logic/call-status';
import { callTime } from '../../logic/call-time';
import { callerKind, callerName } from '../../logic/caller';
import { formatAbsolute, formatDuration, parseTime } from '../../logic/format';
import { Status } from '../../ui/Badge';

export interface CallRowProps {
  call: Call;
  href: string;
}

export function CallRow({ call, href }: CallRowProps) {
  return (
    <Link class="calls-row" href={href}>
      <CallTimeCell value={call.time} />
      <span class="calls-status truncate">
        <Status value={call.outcome} label={statusLabel(call.outcome, call.reason)} />
      </span>
      <bdi class="calls-tool truncate">{call.tool_name ?? `tool ${call.tool_id}`}</bdi>
      <bdi class="calls-server truncate">{call.server_name ?? `server ${call.server_id}`}</bdi>
      <bdi class="calls-client truncate">{call.client_name ?? call.client_type}</bdi>
      <span class="calls-caller truncate" title={call.client_address ?? undefined}>
        <bdi>{callerName(call.caller)}</bdi> <span class="calls-kind">{callerKind(call.caller)}</span>
      </span>
      <span class="calls-duration number">{formatDuration(call.duration_ms)}</span>
    </Link>
  );
}

function CallTimeCell({ value }: { value: string }) {
  const { day, clock, fraction } = callTime(value, new Date());
  const time = parseTime(value);
  return (
    <time class="calls-time number truncate" dateTime={time.toISOString()} title={formatAbsolute(time)}>
      {day && <span class="calls-day">{day}</span>}
      {clock}
      <span class="calls-fraction">{fraction}</span>
    </time>
  );
}

/** Column headers. Hidden from screen readers: the rows are links whose text is self-explanatory. */
export function CallHead() {
  return (
    <div class="calls-row calls-head" aria-hidden="true">
      <span class="calls-time">Time</span>
      <span class="calls-status">Status</span>
      <span class="calls-tool">Tool</span>
      <span class="calls-server">Server</span>
      <span class="calls-client">Client</span>
      <span class="calls-caller">Caller</span>
      <span class="calls-duration">Duration</span>
    </div>
  );
}
