/** Data of the charts: the points of the range, and of the previous range for comparison. */
import { get } from '../../api/client';
import { useQuery } from '../../api/use-query';
import { readId } from '../../logic/id';
import { type DayRange, intervalOf, rangeBefore, readRange } from '../../logic/range';

export interface ReportFilter {
  range: DayRange;
  server: number | undefined;
  tool: number | undefined;
  client: string;
}

export function readReportFilter(query: URLSearchParams): ReportFilter {
  return {
    range: readRange(query, new Date()),
    server: readId(query.get('server')),
    tool: readId(query.get('tool')),
    client: query.get('client') ?? '',
  };
}

/** Query parameters of `/analytics/timeseries`. */
export function seriesQuery({ range, server, tool, client }: ReportFilter) {
  return { from: range.from, to: range.to, interval: intervalOf(range), server, tool, client };
}

export function useReport(filter: ReportFilter) {
  const query = seriesQuery(filter);
  const key = JSON.stringify(query);
  const points = useQuery((signal) => get('/analytics/timeseries', { query, signal }), [key]);
  const previous = useQuery(
    (signal) =>
      get('/analytics/timeseries', { query: { ...query, ...rangeBefore(filter.range), interval: 'day' }, signal }),
    [key],
  );
  return { points, previous };
}
