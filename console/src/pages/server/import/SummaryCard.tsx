/** What the document is, and how many tools it describes. */
import { useMemo } from 'preact/hooks';
import { type ApiImport, formatLabel } from '../../../logic/api-import';
import { formatBytes, formatCount, plural } from '../../../logic/format';
import { sourceLabel, sourceSize } from '../../../logic/import-source';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import type { ApiImportState } from './use-api-import';

export function SummaryCard({ state, report }: { state: ApiImportState; report: ApiImport }) {
  const { source } = state;
  const { info, totals } = report;
  // Memoized because measuring encodes the text, which can be several megabytes.
  const size = useMemo(() => source && sourceSize(source), [source]);
  return (
    <section class="card import-summary" aria-label="Document">
      <div class="card-head">
        <div class="grow">
          <h2 class="import-title">
            <bdi>{info.title || (source ? sourceLabel(source) : 'Document')}</bdi>
          </h2>
          <p class="row small import-facts">
            <Badge tone="accent">{formatLabel(report)}</Badge>
            {info.version !== '' && <span>Version {info.version}</span>}
            {source && <span class="muted import-origin">{sourceLabel(source)}</span>}
            {size !== undefined && <span class="muted">{formatBytes(size)}</span>}
          </p>
        </div>
        <div class="row">
          <Button size="small" onClick={state.startOver}>
            Choose another document
          </Button>
        </div>
      </div>
      <p class="small">
        {plural(totals.operations, 'operation')}, {plural(totals.candidates, 'possible tool')} with about{' '}
        {formatCount(totals.estimated_tokens)} tokens
        {totals.problems > 0 ? `, ${plural(totals.problems, 'problem')}` : ''}.
      </p>
      <LeftOut report={report} />
    </section>
  );
}

function LeftOut({ report }: { report: ApiImport }) {
  const { unlisted = 0, webhooks = 0, left_out = {} } = report.totals;
  const notes = [
    unlisted > 0 && `${plural(unlisted, 'operation')} not listed: the list is limited to 5,000.`,
    webhooks > 0 && `${plural(webhooks, 'webhook')} not imported.`,
    ...Object.entries(left_out).map(
      ([reason, count]) => `${formatCount(count)} × ${reason.replaceAll('_', ' ')} left out.`,
    ),
    ...report.warnings.map(({ message }) => message),
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return (
    <ul class="muted small import-notes">
      {notes.slice(0, 12).map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
