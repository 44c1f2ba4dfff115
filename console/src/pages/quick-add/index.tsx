/** Quick add: a pasted curl command on one side, the tool it becomes on the other. */
import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import type { Server, Tool } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { currentQuery, navigate } from '../../app/router';
import { sortWarnings } from '../../logic/curl-edits';
import { exampleArguments } from '../../logic/curl-toggles';
import type { JsonObject } from '../../logic/json';
import { suggestServerName } from '../../logic/server-name';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/Toast';
import { CommandPane } from './CommandPane';
import { FirstCommand } from './FirstCommand';
import { PublishCard } from './PublishCard';
import { TestArea } from './TestArea';
import { ToolPane } from './ToolPane';
import { usePublish } from './use-publish';
import { type QuickAdd, type ServerPlan, useQuickAdd } from './use-quick-add';
import './quick-add.css';

export default function QuickAddPage() {
  const quickAdd = useQuickAdd();
  const servers = useQuery(
    (signal) => get('/servers', { query: { per_page: 100, orderby: 'updated_at', order: 'DESC' }, signal }),
    [quickAdd.form.server?.id],
  );
  const { form, imported, tool } = quickAdd;
  return (
    <>
      <PageHeader title="Quick add" description="Paste a curl command that works, and get a tool for AI clients." />
      {servers.error && (
        <LoadError title="The servers could not be loaded" error={servers.error} onRetry={servers.reload} />
      )}
      <div class={form.text === '' ? 'quick-add quick-add-start' : 'quick-add'}>
        <CommandPane text={form.text} imported={imported} onText={quickAdd.setText} onClear={quickAdd.clear} />
        <div class="quick-add-tool stack">
          {form.text.trim() === '' && <FirstCommand onText={quickAdd.setText} />}
          {!tool && imported.pending && <Skeleton lines={6} height="20px" />}
        </div>
        {tool && servers.data && <Result quickAdd={quickAdd} servers={servers.data.data} />}
      </div>
    </>
  );
}

interface Tested {
  tool: Tool;
  arguments: JsonObject;
  /** The same tool, tested again, is another test. */
  round: number;
}

function Result({ quickAdd, servers }: { quickAdd: QuickAdd; servers: readonly Server[] }) {
  const { tool, imported, form } = quickAdd;
  const [tested, setTested] = useState<Tested>();
  const plan = form.server ?? usualPlan(servers);
  const suggestedName = suggestServerName(tool?.parts.endpoint_url ?? '');
  const publish = usePublish(quickAdd, plan, suggestedName);
  if (!tool) return null;

  const test = async () => {
    const saved = await publish.save('paused');
    if (!saved) return;
    setTested((before) => ({ tool: saved, arguments: exampleArguments(tool.rows), round: (before?.round ?? 0) + 1 }));
  };
  const goLive = async () => {
    const saved = await publish.save('active');
    if (!saved) return;
    quickAdd.clear();
    toast(`${saved.name} is published.`);
    void navigate(`/servers/${saved.server_id}/connect`);
  };
  return (
    <>
      <div class={imported.error ? 'quick-add-tool quick-add-stale stack' : 'quick-add-tool stack'}>
        <ToolPane quickAdd={quickAdd} tool={tool} faults={publish.toolFaults} />
        <PublishCard
          servers={servers}
          plan={plan}
          suggestedName={suggestedName}
          publish={publish}
          obstacle={obstacleOf(quickAdd)}
          onPlan={quickAdd.setServer}
          onTest={test}
          onPublish={goLive}
        />
      </div>
      {tested && <TestArea key={tested.round} tool={tested.tool} initial={tested.arguments} />}
    </>
  );
}

/** Without a choice: the server that the address names, else the one last changed that is not the demo, else a new one. */
function usualPlan(servers: readonly Server[]): ServerPlan {
  const asked = Number(currentQuery.value.get('server'));
  const server = servers.find(({ id }) => id === asked) ?? servers.find(({ settings }) => settings?.demo !== true);
  return { id: server?.id, auth: 'api-key' };
}

function obstacleOf({ imported, tool }: QuickAdd): string | undefined {
  if (imported.error) return 'The command has a fault: mend it first.';
  if (tool && Object.keys(tool.faults).length > 0) return 'The name of an argument has a fault.';
  if (sortWarnings(tool?.draft.warnings ?? []).blocking.length > 0) return 'A warning above stands in the way.';
  return undefined;
}
