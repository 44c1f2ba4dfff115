import type { ComponentChildren } from 'preact';
import type { CallDetail } from '../../api/types';
import { Link } from '../../app/Link';
import { describeFailure, statusLabel } from '../../logic/call-status';
import { callerFilter, callerKind, callerName } from '../../logic/caller';
import { formatBytes, formatCount } from '../../logic/format';
import { Status } from '../../ui/Badge';
import { Callout } from '../../ui/Callout';
import { CopyText } from '../../ui/CopyButton';
import { Time } from '../../ui/Time';
import { CallTiming } from './CallTiming';
import { CapturedText } from './CapturedText';

export function CallDetails({ call }: { call: CallDetail }) {
  return (
    <div class="stack">
      <div class="row">
        <Status value={call.outcome} label={statusLabel(call.outcome, call.reason)} />
        <span class="muted small">
          <Time value={call.time} absolute />
        </span>
      </div>
      {call.outcome !== 'success' && <Failure call={call} />}
      <CallTiming call={call} />
      <CapturedText call={call} />
      <Facts call={call} />
    </div>
  );
}

/** Why the call failed, and what to do about it. */
function Failure({ call }: { call: CallDetail }) {
  const status = call.upstream_status === null ? '' : ` Status ${call.upstream_status}.`;
  return (
    <Callout tone="bad" title={statusLabel(call.outcome, call.reason)}>
      <p>
        {describeFailure(call.reason)}
        {status}
      </p>
      {call.advice && (
        <p>
          <strong>What to do: </strong>
          {call.advice}
        </p>
      )}
    </Callout>
  );
}

function Facts({ call }: { call: CallDetail }) {
  return (
    <section aria-label="About this call">
      <h3 class="calls-heading">About this call</h3>
      <dl class="calls-facts">
        <Fact label="Server">
          {call.server_name === null ? (
            `${call.server_id} (deleted)`
          ) : (
            <Link href={`/servers/${call.server_id}/tools`}>
              <bdi>{call.server_name}</bdi>
            </Link>
          )}
        </Fact>
        <Fact label="Tool">
          {call.tool_name === null ? (
            `${call.tool_id} (deleted)`
          ) : (
            <Link href={`/servers/${call.server_id}/tools/${call.tool_id}`}>
              <bdi>{call.tool_name}</bdi>
            </Link>
          )}
        </Fact>
        <Fact label="Client">
          <bdi>{call.client_name ?? 'unnamed'}</bdi> <span class="muted">({call.client_type})</span>
        </Fact>
        <Fact label="Caller">
          <Link href={`/calls?caller=${callerFilter(call.caller)}`}>
            <bdi>{callerName(call.caller)}</bdi>
          </Link>{' '}
          <span class="muted">{callerKind(call.caller)}</span>
        </Fact>
        <Fact label="Client address">
          {call.client_address === null ? (
            'not recorded'
          ) : (
            <Link href={`/calls?client_address=${encodeURIComponent(call.client_address)}`}>{call.client_address}</Link>
          )}
        </Fact>
        <Fact label="MCP version">{call.protocol_version ?? 'none (plain JSON-RPC)'}</Fact>
        <Fact label="Upstream status">{call.upstream_status ?? 'none'}</Fact>
        <Fact label="Cached response">{call.cache_hit ? 'yes' : 'no'}</Fact>
        <Fact label="Size">
          arguments {formatBytes(call.request_bytes)}, upstream response {formatBytes(call.response_bytes)}
        </Fact>
        {call.tokens_out !== null && (
          <Fact label="Tokens">
            about {formatCount(call.tokens_out)}
            {call.tokens_saved ? `, ${formatCount(call.tokens_saved)} left out by shaping` : ''}
          </Fact>
        )}
        <Fact label="Call ID">
          <CopyText text={String(call.id)} label="Copy the call ID" />
        </Fact>
        <Fact label="Request ID">
          <CopyText text={call.request_id} label="Copy the request ID" />
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="calls-fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
