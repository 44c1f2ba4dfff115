/** What an import did: created, updated, skipped and failed tools. */
import type { ComponentChildren } from 'preact';
import type { ToolImport } from '../../../api/types';
import { Link } from '../../../app/Link';
import type { ApiImport } from '../../../logic/api-import';
import { plural } from '../../../logic/format';
import { firstToTest } from '../../../logic/import-result';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { VirtualList } from '../../../ui/VirtualList';

export interface ImportResultProps {
  serverId: number;
  result: ToolImport;
  report: ApiImport;
  onStartOver: () => void;
}

export function ImportResult({ serverId, result, report, onStartOver }: ImportResultProps) {
  const { created, updated, skipped, failed, document_id } = result;
  const tools = `/servers/${serverId}/tools`;
  const toTest = firstToTest(result, report);
  const testHref = (id: number) => `${tools}/${id}/test?example=1`;
  return (
    <section class="stack" aria-label="Result">
      <Callout
        tone={created.length + updated.length > 0 ? 'good' : 'warn'}
        title={`${plural(created.length, 'tool')} created${updated.length > 0 ? `, ${updated.length} updated` : ''}`}
      >
        {[skipped.length > 0 && `${skipped.length} skipped`, failed.length > 0 && `${failed.length} failed`]
          .filter(Boolean)
          .join(', ') || 'Nothing was left out.'}
      </Callout>
      <div class="row">
        {toTest && (
          <Button variant="primary" icon="play" href={testHref(toTest.tool_id)}>
            {`Test ${toTest.name}`}
          </Button>
        )}
        <Button icon="tool" href={tools}>
          Show tools
        </Button>
        {document_id !== undefined && (
          <Button icon="resource" href={`/servers/${serverId}/documents`}>
            Show documents
          </Button>
        )}
        <Button onClick={onStartOver}>Import another document</Button>
      </div>
      <ResultList
        title="Failed"
        items={failed}
        render={({ name, error, pointer }) => <Reason {...{ name, reason: error, pointer }} />}
      />
      <ResultList title="Skipped" items={skipped} render={({ name, reason }) => <Reason {...{ name, reason }} />} />
      {(
        [
          ['Created', created],
          ['Updated', updated],
        ] as const
      ).map(([title, items]) => (
        <ResultList
          key={title}
          title={title}
          items={items}
          render={({ name, tool_id }) => (
            <>
              <Link class="import-result-name truncate" href={`${tools}/${tool_id}`}>
                {name}
              </Link>
              <Link class="small" href={testHref(tool_id)} aria-label={`Test ${name}`}>
                Test
              </Link>
            </>
          )}
        />
      ))}
    </section>
  );
}

/** In pixels. */
const rowHeight = 36;

interface ResultListProps<Item> {
  title: string;
  items: readonly Item[];
  render: (item: Item) => ComponentChildren;
}

function ResultList<Item extends { name: string }>({ title, items, render }: ResultListProps<Item>) {
  if (items.length === 0) return null;
  return (
    <Card title={`${title}: ${items.length}`}>
      <VirtualList
        label={title}
        items={items.map((item, index) => ({ item, index }))}
        itemKey={({ index }) => index}
        rowHeight={rowHeight}
        height={`min(${items.length * rowHeight}px, 360px)`}
        render={({ item }) => <div class="import-result">{render(item)}</div>}
      />
    </Card>
  );
}

function Reason({ name, reason, pointer }: { name: string; reason: string; pointer?: string | undefined }) {
  return (
    <>
      <code class="import-result-name truncate">{name || 'unknown operation'}</code>
      <span class="small truncate" title={pointer ? `${reason} ${pointer}` : reason}>
        {reason}
      </span>
    </>
  );
}
