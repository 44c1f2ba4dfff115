/** Page: create a tool. */
import { navigate } from '../../app/router';
import type { PageProps } from '../../app/routes';
import { toast } from '../../ui/Toast';
import { ToolEditor } from './ToolEditor';

export default function NewToolPage({ params }: PageProps<'/servers/:id/tools/new'>) {
  return (
    <ToolEditor
      serverId={params.id}
      tool={undefined}
      onSaved={(tool) => {
        toast(`Created ${tool.name}.`);
        void navigate(`/servers/${params.id}/tools/${tool.id}`, { replace: true });
      }}
    />
  );
}
