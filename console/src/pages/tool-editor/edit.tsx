/** A tool: request, parameters, authentication, limits. */
import { useMemo } from 'preact/hooks';
import { get } from '../../api/client';
import { useQuery } from '../../api/use-query';
import type { PageProps } from '../../app/routes';
import { formOfTool } from '../../logic/tool-form';
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
  const form = useMemo(() => tool.data && formOfTool(tool.data), [tool.data]);
  if (form) {
    return (
      <ToolEditor
        serverId={params.id}
        tool={{ id: params.tool, form }}
        onSaved={(saved) => {
          tool.set(saved);
          toast('Saved. Clients see the change with their next look.');
        }}
      />
    );
  }
  return (
    <>
      <PageHeader title="Tool" back={{ href: `/servers/${params.id}/tools`, label: 'Tools' }} />
      {tool.error && <LoadError title="The tool could not be loaded" error={tool.error} onRetry={tool.reload} />}
      {tool.loading && <Skeleton lines={8} height="20px" />}
    </>
  );
}
