/** Refresh of a document: choose another version, review the differences, apply them. */
import { useRef } from 'preact/hooks';
import type { ApiDocument } from '../../../api/types';
import { earlierRevisions, type RefreshSource } from '../../../logic/drift';
import { readFiles } from '../../../logic/import-source';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { Menu } from '../../../ui/Menu';
import { Skeleton } from '../../../ui/Skeleton';
import { toast } from '../../../ui/Toast';
import { DriftView } from './DriftView';
import { RefreshResult } from './RefreshResult';
import { useRefresh } from './use-refresh';

export interface RefreshPanelProps {
  serverId: number;
  document: ApiDocument;
  onRefreshed: () => void;
}

export function RefreshPanel({ serverId, document, onRefreshed }: RefreshPanelProps) {
  const refresh = useRefresh(document, onRefreshed);
  const { compare, apply, comparison, result } = refresh;
  return (
    <>
      <Card
        title="Refresh"
        description="Compare the tools with another version of the document. Nothing changes until you apply the differences, and nothing is refreshed automatically."
      >
        <SourceButtons document={document} busy={compare.busy} onCompare={(source) => void compare.run(source)} />
        {compare.error && <Callout tone="bad">{compare.error.message}</Callout>}
      </Card>
      {compare.busy && <Skeleton lines={4} />}
      {apply.error && <Callout tone="bad">{apply.error.message}</Callout>}
      {comparison && (
        <DriftView
          key={comparison.report.document_sha256}
          serverId={serverId}
          comparison={comparison}
          busy={apply.busy}
          onApply={(choice) => void apply.run(choice)}
          onCancel={refresh.reset}
        />
      )}
      {result && <RefreshResult serverId={serverId} result={result} />}
    </>
  );
}

interface SourceButtonsProps {
  document: ApiDocument;
  busy: boolean;
  onCompare: (source: RefreshSource) => void;
}

function SourceButtons({ document, busy, onCompare }: SourceButtonsProps) {
  const input = useRef<HTMLInputElement>(null);
  const revisions = earlierRevisions(document.revision);
  const choose = async (files: readonly File[]) => {
    const source = await readFiles(files);
    if (source?.kind === 'error') toast(source.message, { tone: 'bad' });
    else if (source && source.kind !== 'url') onCompare(source);
  };
  return (
    <div class="row">
      {document.url !== null && (
        <Button variant="primary" icon="refresh" busy={busy} onClick={() => onCompare({ kind: 'link' })}>
          Fetch from the link
        </Button>
      )}
      <Button
        variant={document.url === null ? 'primary' : 'secondary'}
        icon="resource"
        busy={busy}
        onClick={() => input.current?.click()}
      >
        Choose a new file
      </Button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="New version of the document"
        onChange={(event) => {
          void choose([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      {revisions.length > 0 && (
        <Menu
          label="Earlier revisions"
          text="Roll back to a revision"
          items={revisions.map((revision) => ({
            label: `Revision ${revision}`,
            icon: 'clock',
            onSelect: () => onCompare({ kind: 'revision', revision }),
          }))}
        />
      )}
    </div>
  );
}
