/** Quick add: a pasted curl command on one side, the tool it becomes on the other. */
import { type Answer, get } from '../../api/client';
import type { Server } from '../../api/types';
import { type Query, useQuery } from '../../api/use-query';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { CommandPane } from './CommandPane';
import { FirstCommand } from './FirstCommand';
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
      <PageHeader title="Quick add" description="Paste a curl command that works, and get a tool for AI clients." />
      <Workbench quickAdd={quickAdd} servers={servers} />
    </>
  );
}

function Workbench({ quickAdd, servers }: { quickAdd: QuickAdd; servers: Query<Answer<Server[]>> }) {
  const { form, imported, tool } = quickAdd;
  const known = servers.data?.data;
  const steps = useSteps(quickAdd, known ?? []);
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
          {isStart && <FirstCommand onText={quickAdd.setText} />}
          {!tool && imported.pending && <Skeleton lines={6} height="20px" />}
          {tool && <ToolPane quickAdd={quickAdd} tool={tool} publish={steps.publish} />}
          {tool && servers.error && (
            <LoadError title="The servers could not be loaded" error={servers.error} onRetry={servers.reload} />
          )}
          {tool && known && <PublishCard servers={known} steps={steps} onPlan={quickAdd.setServer} />}
        </div>
      </div>
      {tool && steps.tested && (
        <TestArea key={steps.tested.round} tested={steps.tested} outdated={steps.tested.planned !== tool} />
      )}
    </>
  );
}
