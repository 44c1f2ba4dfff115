/** Calls of each server in the last 24 hours, busiest first. */
import type { Server, ToolUsage } from '../../api/types';
import { Link } from '../../app/Link';
import { formatCount } from '../../logic/format';
import { activityTexts, busiestFirst } from '../../logic/home';
import { Status } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Skeleton } from '../../ui/Skeleton';
import { Sparkline } from '../../ui/Sparkline';
import { useServerActivity } from './use-home';

/** Number of servers shown here; the Servers page lists all. */
const rowsMax = 8;

export interface ServerActivityProps {
  /** Undefined while they load. */
  servers: readonly Server[] | undefined;
  total: number;
  tools: readonly ToolUsage[];
  /** Changes when the data should reload. */
  reloadCount: number;
}

export function ServerActivity({ servers, total, tools, reloadCount }: ServerActivityProps) {
  const shownServers = servers && busiestFirst(servers, tools).slice(0, rowsMax);
  return (
    <Card
      title="Servers"
      description="Calls in the last 24 hours"
      actions={
        <Button size="small" variant="ghost" href="/servers">
          {total > rowsMax ? `All ${formatCount(total)}` : 'All servers'}
        </Button>
      }
    >
      {shownServers === undefined && <Skeleton lines={3} height="28px" />}
      <ul>
        {shownServers?.map((server) => (
          <ServerActivityRow key={server.id} server={server} reloadCount={reloadCount} />
        ))}
      </ul>
    </Card>
  );
}

function ServerActivityRow({ server, reloadCount }: { server: Server; reloadCount: number }) {
  const { data, error } = useServerActivity(server.id, reloadCount);
  const hours = data?.data;
  const texts = activityTexts(hours, error !== undefined);
  return (
    <li class="home-row">
      <div class="home-line grow">
        <Link class="home-link truncate" href={`/servers/${server.id}/tools`}>
          {server.name}
        </Link>
        {server.status !== 'active' && <Status value={server.status} />}
      </div>
      <span class="home-activity">
        {hours && (
          <Sparkline
            points={hours.map((hour) => hour.calls)}
            label={`${activityTexts(hours, false)?.calls} in 24 hours, by hour`}
            width={160}
            height={28}
          />
        )}
        {!hours && !error && <Skeleton width="160px" height="28px" />}
      </span>
      <Link class="home-count" href={`/calls?server=${server.id}`}>
        {texts?.calls ?? <Skeleton width="64px" />}
        {texts?.failures && (
          <span class={texts.hasFailures ? 'home-failures small' : 'muted small'}>{texts.failures}</span>
        )}
      </Link>
    </li>
  );
}
