/** CSV export of each report. */
import { downloadCsv } from '../../api/download';
import { toApiError } from '../../api/errors';
import { Menu } from '../../ui/Menu';
import { toast } from '../../ui/Toast';
import { type ReportFilter, seriesQuery } from './use-report';

type Report =
  | '/analytics/timeseries'
  | '/analytics/servers'
  | '/analytics/tools'
  | '/analytics/keys'
  | '/analytics/client-breakdown';

export function ExportMenu({ filter }: { filter: ReportFilter }) {
  const days = { from: filter.range.from, to: filter.range.to };
  const item = (label: string, path: Report, query: object) => ({
    label,
    icon: 'download' as const,
    onSelect: () => void save(path, query, `${path.split('/').at(-1)}-${days.from}-${days.to}.csv`),
  });
  return (
    <Menu
      label="Export a report as CSV"
      text="Export CSV"
      items={[
        item('Over time', '/analytics/timeseries', seriesQuery(filter)),
        item('By server', '/analytics/servers', days),
        item('By tool', '/analytics/tools', { ...days, server: filter.server }),
        item('By key', '/analytics/keys', { ...days, server: filter.server }),
        item('By client', '/analytics/client-breakdown', days),
      ]}
    />
  );
}

async function save(path: Report, query: object, fileName: string): Promise<void> {
  try {
    await downloadCsv(path, query, fileName);
    toast(`Saved ${fileName}.`);
  } catch (cause) {
    toast(toApiError(cause).message, { tone: 'bad' });
  }
}
