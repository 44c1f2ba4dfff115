/** Duration of a call, split into upstream and Toolgate. */
import type { Call } from '../../api/types';
import { timeShares } from '../../logic/call-time';
import { formatDuration } from '../../logic/format';

export function CallTiming({ call }: { call: Call }) {
  const { upstreamPercent, toolgatePercent, toolgateMs } = timeShares(call.duration_ms, call.upstream_ms);
  return (
    <section aria-label="Timing">
      <h3 class="calls-heading">
        Timing <span class="muted number">{formatDuration(call.duration_ms)}</span>
      </h3>
      <div class="calls-bar" aria-hidden="true">
        <span class="calls-bar-upstream" style={{ width: `${upstreamPercent}%` }} />
        <span class="calls-bar-toolgate" style={{ width: `${toolgatePercent}%` }} />
      </div>
      <ul class="calls-bar-legend number">
        <li class="calls-bar-key calls-bar-key-upstream">
          {call.cache_hit ? 'Cached response' : `Upstream ${formatDuration(call.upstream_ms)}`}
        </li>
        <li class="calls-bar-key calls-bar-key-toolgate">Toolgate {formatDuration(toolgateMs)}</li>
      </ul>
    </section>
  );
}
