/** How often a server was called today (UTC, as reports have it), and when. */
import { get } from '../../api/client';
import { useQuery } from '../../api/use-query';
import { formatCount, plural, utcDay } from '../../logic/format';
import { Skeleton } from '../../ui/Skeleton';
import { Spark } from '../../ui/Spark';

export function CallsToday({ serverId }: { serverId: number }) {
  const { data, error } = useQuery(
    (signal) => {
      const today = utcDay(new Date());
      return get('/analytics/timeseries', {
        query: { server: serverId, interval: 'hour', from: today, to: today },
        signal,
      });
    },
    [serverId],
  );

  // A figure beside the list: the list is of use without it.
  if (error) return <span class="muted">unknown</span>;
  const hours = data?.data.map(({ calls }) => calls);
  const total = hours?.reduce((sum, calls) => sum + calls, 0);
  return (
    <span class="servers-calls">
      {hours === undefined || total === undefined ? (
        <Skeleton width="96px" height="24px" />
      ) : (
        <>
          <Spark points={hours} label={`${plural(total, 'call')} today, hour by hour`} width={72} height={22} />
          {formatCount(total)}
        </>
      )}
    </span>
  );
}
