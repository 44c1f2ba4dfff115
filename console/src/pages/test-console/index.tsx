/** Test console: runs a tool and shows the request, the response and what the model receives. */
import { currentQuery } from '../../app/router';
import type { PageProps } from '../../app/routes';
import { Status } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { TestPanel } from './TestPanel';
import { useExample, useReplay, useTool } from './use-tool';

export default function TestConsolePage({ params }: PageProps<'/servers/:id/tools/:tool/test'>) {
  const tool = useTool(params.tool);
  const replay = useReplay(Number(currentQuery.value.get('call')) || undefined);
  const example = useExample(tool.data, currentQuery.value.get('example') === '1');
  const href = `/servers/${params.id}/tools/${params.tool}`;
  return (
    <>
      <PageHeader
        title={tool.data ? `Test ${tool.data.name}` : 'Test'}
        badge={tool.data && <Status value={tool.data.status} />}
        back={{ href: `/servers/${params.id}/tools`, label: 'Tools' }}
        description={tool.data?.description}
        actions={
          <Button icon="edit" href={href}>
            Edit tool
          </Button>
        }
      />
      <div class="stack">
        {tool.error && <LoadError title="Could not load the tool" error={tool.error} onRetry={tool.reload} />}
        {replay.error && <LoadError title="Could not load the call" error={replay.error} onRetry={replay.reload} />}
        {replay.data?.note && <Callout tone="warn">{replay.data.note}</Callout>}
        {tool.data && (replay.data || replay.error) ? (
          <TestPanel
            key={replay.data ? 'replay' : 'no-replay'}
            tool={tool.data}
            initial={replay.data?.args ?? example}
            autofocus
          />
        ) : (
          !tool.error && <Skeleton lines={4} />
        )}
      </div>
    </>
  );
}
