/** Quick add: creates a tool from a pasted curl command. */
import { type ApiResponse, get } from '../../api/client';
import type { Server } from '../../api/types';
import { type Query, useQuery } from '../../api/use-query';
import { currentQuery } from '../../app/router';
import { readId } from '../../logic/id';
import { Button } from '../../ui/Button';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { CommandPane } from './CommandPane';
import { ExampleCommands } from './ExampleCommands';
import { ModelPreview } from './ModelPreview';
import { PublishCard } from './PublishCard';
import { TestArea } from './TestArea';
import { ToolPane } from './ToolPane';
import { type QuickAdd, useQuickAdd } from './use-quick-add';
import { useSteps } from './use-steps';
import './quick-add.css';

export default function QuickAddPage() {
  const quickAdd = useQuickAdd();
  const servers = useQuery(
    (signal) => get('/servers', { query: { per_page: 100, orderby: 'updated_at', order: 'DESC' }, signal }),
    [quickAdd.form.server?.id],
  );
  return (
    <>
      <PageHeader
        title="Quick add"
        description="Paste a working curl command and turn it into a tool for AI clients."
        actions={
          <Button icon="download" href={importHref()}>
            Import a whole API
          </Button>
        }
      />
      <QuickAddContent quickAdd={quickAdd} servers={servers} />
    </>
  );
}

/** The import page of the server in the address, if there is one. */
function importHref(): string {
  const server = readId(currentQuery.value.get('server') ?? '');
  return server === undefined ? '/import' : `/servers/${server}/import`;
}

function QuickAddContent({ quickAdd, servers }: { quickAdd: QuickAdd; servers: Query<ApiResponse<Server[]>> }) {
  const { form, imported, tool } = quickAdd;
  const serverList = servers.data?.data;
  const steps = useSteps(quickAdd, serverList ?? []);
  const isStart = form.text.trim() === '';
  return (
    <>
      <div class={isStart ? 'quick-add quick-add-start' : 'quick-add'}>
        <div class="quick-add-side">
          <div class="quick-add-sticky">
            <CommandPane text={form.text} imported={imported} onText={quickAdd.setText} onClear={quickAdd.startOver} />
            {tool && <ModelPreview tool={tool} />}
          </div>
        </div>
        <div class={imported.error ? 'quick-add-main quick-add-stale' : 'quick-add-main'}>
          {isStart && <ExampleCommands onText={quickAdd.setText} />}
          {!tool && imported.pending && <Skeleton lines={6} height="20px" />}
          {tool && <ToolPane quickAdd={quickAdd} tool={tool} publish={steps.publish} />}
          {tool && servers.error && (
            <LoadError title="Could not load the servers" error={servers.error} onRetry={servers.reload} />
          )}
          {tool && serverList && (
            <PublishCard servers={serverList} tool={tool} steps={steps} onServerPlan={quickAdd.setServer} />
          )}
        </div>
      </div>
      {tool && steps.tested && (
        <TestArea key={steps.tested.round} tested={steps.tested} outdated={steps.tested.planned !== tool} />
      )}
    </>
  );
}
