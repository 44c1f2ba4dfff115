/** The last 24 hours of each server, as a line; the busiest first. */
import type { Server, ToolUsage } from '../../api/types';
import { Link } from '../../app/Link';
import { formatCount, plural } from '../../logic/format';
import { busiestFirst } from '../../logic/home';
import { Status } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Skeleton } from '../../ui/Skeleton';
import { Spark } from '../../ui/Spark';
import { useServerDay } from './use-home';

/** More of them are a list, and that is another page. */
const most = 8;

export interface ServerDaysProps {
  /** Undefined while they load. */
  servers: readonly Server[] | undefined;
  total: number;
  tools: readonly ToolUsage[];
  /** Counts up when newer figures are wanted. */
  round: number;
}

export function ServerDays({ servers, total, tools, round }: ServerDaysProps) {
  const shown = servers && busiestFirst(servers, tools).slice(0, most);
  return (
    <Card
      title="Servers"
      description="Calls in the last 24 hours"
      actions={
        <Button size="small" variant="ghost" href="/servers">
          {total > most ? `All ${formatCount(total)}` : 'All servers'}
        </Button>
      }
    >
      {shown === undefined && <Skeleton lines={3} height="28px" />}
      <ul>
        {shown?.map((server) => (
          <ServerDay key={server.id} server={server} round={round} />
        ))}
      </ul>
    </Card>
  );
}

function ServerDay({ server, round }: { server: Server; round: number }) {
  const { data, error } = useServerDay(server.id, round);
  const hours = data?.data;
  const calls = hours?.reduce((sum, hour) => sum + hour.calls, 0) ?? 0;
  const failures = hours?.reduce((sum, hour) => sum + hour.failures, 0) ?? 0;
  return (
    <li class="home-row">
      <div class="home-line grow">
        <Link class="home-link truncate" href={`/servers/${server.id}/tools`}>
          {server.name}
        </Link>
        {server.status !== 'active' && <Status value={server.status} />}
      </div>
      <span class="home-day">
        {hours && (
          <Spark
            points={hours.map((hour) => hour.calls)}
            label={`${plural(calls, 'call')} in 24 hours, hour by hour`}
            width={160}
            height={28}
          />
        )}
        {!hours && !error && <Skeleton width="160px" height="28px" />}
      </span>
      <Link class="home-count" href={`/calls?server=${server.id}`}>
        {error ? 'unknown' : plural(calls, 'call')}
        <span class={failures > 0 ? 'home-failures small' : 'muted small'}>
          {failures > 0 ? `${formatCount(failures)} failed` : 'none failed'}
        </span>
      </Link>
    </li>
  );
}
