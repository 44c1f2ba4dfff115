/** What an import did: created, updated, skipped and failed tools. */
import type { ToolImport } from '../../../api/types';
import { Link } from '../../../app/Link';
import type { ApiImport } from '../../../logic/api-import';
import { plural } from '../../../logic/format';
import { firstToTest } from '../../../logic/import-result';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { ResultList, ResultReason } from './ResultList';

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
          <Button icon="resource" href={`/servers/${serverId}/documents/${document_id}`}>
            Show document
          </Button>
        )}
        <Button onClick={onStartOver}>Import another document</Button>
      </div>
      <ResultList
        title="Failed"
        items={failed}
        render={({ name, error, pointer }) => <ResultReason {...{ name, reason: error, pointer }} />}
      />
      <ResultList
        title="Skipped"
        items={skipped}
        render={({ name, reason }) => <ResultReason {...{ name, reason }} />}
      />
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
              <Link class="result-list-name truncate" href={`${tools}/${tool_id}`}>
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
