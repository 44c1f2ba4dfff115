/** Overview numbers, each linked to its page. */
import type { ComponentChildren } from 'preact';
import type { Overview, TimePoint } from '../../api/types';
import { Link } from '../../app/Link';
import { formatCount, formatDuration, formatPercent } from '../../logic/format';
import { compareWithYesterday } from '../../logic/home';
import { Stat } from '../../ui/Card';

export interface OverviewStatsProps {
  /** Undefined while it loads. */
  overview: (Overview & { today: TimePoint | undefined }) | undefined;
}

export function OverviewStats({ overview }: OverviewStatsProps) {
  const today = overview?.today;
  const failures = today?.failures ?? 0;
  const wasCalled = (overview?.calls_today ?? 0) > 0;
  return (
    <div class="home-stats">
      <StatLink
        href="/calls"
        label="Calls today"
        value={overview && formatCount(overview.calls_today)}
        note={overview && compareWithYesterday(overview.calls_today, overview.calls_yesterday)}
      />
      <StatLink
        href={failures > 0 ? '/calls?status=failed' : '/calls'}
        label="Success rate"
        value={overview && (wasCalled ? formatPercent(overview.success_rate) : '–')}
        tone={wasCalled && failures > 0 ? 'bad' : undefined}
        note={failures > 0 ? `${formatCount(failures)} failed` : wasCalled ? 'none failed' : 'no calls yet today'}
      />
      <StatLink
        href="/analytics"
        label="Median time"
        value={overview && formatMs(today?.p50_ms)}
        note={`p95 ${formatMs(today?.p95_ms)}`}
      />
      <StatLink
        href="/servers?status=active"
        label="Active servers"
        value={overview && formatCount(overview.active_servers)}
        note={`of ${formatCount(overview?.total_servers ?? 0)}`}
      />
      <StatLink
        href="/servers"
        label="Active tools"
        value={overview && formatCount(overview.active_tools)}
        note={`of ${formatCount(overview?.total_tools ?? 0)}`}
      />
    </div>
  );
}

interface StatLinkProps {
  href: string;
  label: string;
  value: string | undefined;
  note: ComponentChildren;
  tone?: 'bad' | undefined;
}

function StatLink({ href, ...stat }: StatLinkProps) {
  return (
    <Link class="home-figure" href={href}>
      <Stat {...stat} />
    </Link>
  );
}

function formatMs(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '–' : formatDuration(ms);
}
