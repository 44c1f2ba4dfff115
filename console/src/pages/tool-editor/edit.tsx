/** Page: edit a tool. */
import { useMemo } from 'preact/hooks';
import { get } from '../../api/client';
import { useQuery } from '../../api/use-query';
import type { PageProps } from '../../app/routes';
import { toToolForm } from '../../logic/tool-form';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/Toast';
import { ToolEditor } from './ToolEditor';

export default function EditToolPage({ params }: PageProps<'/servers/:id/tools/:tool'>) {
  const tool = useQuery(
    async (signal) => (await get('/tools/{id}', { path: { id: params.tool }, signal })).data,
    [params.tool],
  );
  const form = useMemo(() => tool.data && toToolForm(tool.data), [tool.data]);
  if (form && tool.data) {
    return (
      <ToolEditor
        serverId={params.id}
        tool={{ id: params.tool, form, imported: tool.data }}
        onSaved={(saved) => {
          tool.set(saved);
          toast('Saved. Clients see the change when they list the tools again.');
        }}
      />
    );
  }
  return (
    <>
      <PageHeader title="Tool" back={{ href: `/servers/${params.id}/tools`, label: 'Tools' }} />
      {tool.error && <LoadError title="Could not load the tool" error={tool.error} onRetry={tool.reload} />}
      {tool.loading && <Skeleton lines={8} height="20px" />}
    </>
  );
}
