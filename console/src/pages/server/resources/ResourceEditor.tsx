/** Editor of a resource, with a preview of its content. */
import { patch, post, remove } from '../../../api/client';
import type { Resource, Server } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { useDraft } from '../../../app/drafts';
import { useUnsavedGuard } from '../../../app/unsaved';
import { nestedErrors, otherErrors } from '../../../logic/nested-errors';
import {
  configKeys,
  emptyResource,
  type ResourceForm,
  resourceErrors,
  toResourceBody,
  toResourceForm,
} from '../../../logic/resource-form';
import { useServerRights } from '../../../session/me';
import { RadioCards } from '../../../ui/RadioCards';
import { toast } from '../../../ui/Toast';
import { EditorButtons } from '../EditorButtons';
import { openItem } from '../ItemList';
import { ResourceFields } from './ResourceFields';
import { ResourcePreview } from './ResourcePreview';
import { SourceFields } from './SourceFields';
import { sourceOptions } from './sources';
import './resources.css';

export interface ResourceEditorProps {
  server: Server;
  /** Undefined: a new resource. */
  resource: Resource | undefined;
  onChanged: () => void;
}

export function ResourceEditor({ server, resource, onChanged }: ResourceEditorProps) {
  const saved = resource ? toResourceForm(resource) : emptyResource;
  const draft = useDraft(`server/${server.id}/resource/${resource?.id ?? 'new'}`, saved);
  useUnsavedGuard(draft.dirty, 'This resource');
  const { edit: canEdit } = useServerRights(server);
  const form = draft.value;
  const set = (part: Partial<ResourceForm>) => draft.set({ ...form, ...part });
  const errors = resourceErrors(form);

  const close = () => {
    draft.reset();
    openItem(undefined);
  };
  const save = useMutation(async () => {
    const body = toResourceBody(form, resource);
    const path = { server_id: server.id };
    if (resource) await patch('/servers/{server_id}/resources/{id}', body, { path: { ...path, id: resource.id } });
    else await post('/servers/{server_id}/resources', body, { path });
    toast(`Saved ${form.name}.`);
    onChanged();
    // An existing resource stays open for the preview; a new one is closed and appears in the list.
    draft.reset();
    if (!resource) openItem(undefined);
  }, ['uri', 'name', 'description', 'mime_type', 'template_uri', 'data_source_config']);
  const deleteResource = async () => {
    if (!resource) return;
    await remove('/servers/{server_id}/resources/{id}', { path: { server_id: server.id, id: resource.id } });
    onChanged();
    close();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (canEdit && Object.keys(errors).length === 0) void save.run();
  };
  const configError = save.fields.data_source_config;

  return (
    <form class="items-columns" noValidate onSubmit={submit}>
      <div class="stack">
        <ResourceFields form={form} set={set} errors={save.fields} isNew={!resource} />
        <RadioCards label="Source" value={form.source} options={sourceOptions} onValue={(source) => set({ source })} />
        <SourceFields
          serverId={server.id}
          form={form}
          set={set}
          stored={saved.credential.authType}
          errors={{ ...nestedErrors('data_source_config', configError), ...errors }}
        />
        <EditorButtons
          noun="resource"
          item={resource}
          canEdit={canEdit}
          busy={save.busy}
          dirty={draft.dirty}
          general={save.general ?? otherErrors('data_source_config', configError, configKeys[form.source])}
          onCancel={close}
          onDelete={deleteResource}
        />
      </div>
      <ResourcePreview server={server} resource={resource} dirty={draft.dirty} />
    </form>
  );
}
