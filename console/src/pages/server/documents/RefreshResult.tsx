/** What a refresh did. */
import { Link } from '../../../app/Link';
import { plural } from '../../../logic/format';
import { Callout } from '../../../ui/Callout';
import { ResultList, ResultReason } from '../import/ResultList';
import type { RefreshResult as Result } from './use-refresh';

export function RefreshResult({ serverId, result }: { serverId: number; result: Result }) {
  const { created, updated, skipped, failed, removed = [] } = result;
  const tool = ({ name, tool_id }: { name: string; tool_id: number }) => (
    <Link class="result-list-name truncate" href={`/servers/${serverId}/tools/${tool_id}`}>
      {name}
    </Link>
  );
  return (
    <section class="stack" aria-label="Result">
      <Callout tone="good" title="The document is refreshed">
        {`${plural(created.length, 'tool')} created, ${updated.length} updated, ${removed.length} removed.`}
      </Callout>
      <ResultList
        title="Failed"
        items={failed}
        render={({ name, error, pointer }) => <ResultReason name={name} reason={error} pointer={pointer} />}
      />
      <ResultList
        title="Skipped"
        items={skipped}
        render={({ name, reason }) => <ResultReason name={name} reason={reason} />}
      />
      <ResultList title="Created" items={created} render={tool} />
      <ResultList title="Updated" items={updated} render={tool} />
      <ResultList
        title="Operation removed"
        items={removed}
        render={({ name, result: outcome }) => <ResultReason name={name} reason={outcome} />}
      />
    </section>
  );
}
