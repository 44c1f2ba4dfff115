/** Editor of a prompt, with a preview. */
import { patch, post, remove } from '../../../api/client';
import type { Prompt } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { useDraft } from '../../../app/drafts';
import { useUnsavedGuard } from '../../../app/unsaved';
import {
  emptyPrompt,
  messagesError,
  type PromptForm,
  toPromptBody,
  toPromptForm,
  withArguments,
} from '../../../logic/prompt-form';
import { useServerRights } from '../../../session/me';
import { CodeEditor } from '../../../ui/CodeEditor';
import { Segmented } from '../../../ui/Segmented';
import { TextArea } from '../../../ui/TextArea';
import { TextField } from '../../../ui/TextField';
import { toast } from '../../../ui/Toast';
import { EditorButtons } from '../EditorButtons';
import { openItem } from '../ItemList';
import { useServer } from '../use-server';
import { ArgumentRows } from './ArgumentRows';
import { PromptPreview } from './PromptPreview';
import './prompts.css';

const kinds = [
  { value: 'text', label: 'Text' },
  { value: 'messages', label: 'Messages' },
] as const;

export interface PromptEditorProps {
  serverId: number;
  /** Undefined: a new prompt. */
  prompt: Prompt | undefined;
  onChanged: () => void;
}

export function PromptEditor({ serverId, prompt, onChanged }: PromptEditorProps) {
  const draft = useDraft(
    `server/${serverId}/prompt/${prompt?.id ?? 'new'}`,
    prompt ? toPromptForm(prompt) : emptyPrompt,
  );
  useUnsavedGuard(draft.dirty, 'This prompt');
  const { edit: canEdit } = useServerRights(useServer(serverId).data);
  const form = draft.value;
  const set = (part: Partial<PromptForm>) => draft.set(withArguments({ ...form, ...part }));
  const error = messagesError(form);

  const close = () => {
    draft.reset();
    openItem(undefined);
  };
  const save = useMutation(async () => {
    const body = toPromptBody(form);
    const path = { server_id: serverId };
    if (prompt) await patch('/servers/{server_id}/prompts/{id}', body, { path: { ...path, id: prompt.id } });
    else await post('/servers/{server_id}/prompts', body, { path });
    toast(`Saved ${form.name}.`);
    onChanged();
    close();
  }, ['name', 'description', 'template_content', 'messages', 'arguments']);
  const deletePrompt = async () => {
    if (!prompt) return;
    await remove('/servers/{server_id}/prompts/{id}', { path: { server_id: serverId, id: prompt.id } });
    onChanged();
    close();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (canEdit && error === undefined) void save.run();
  };

  return (
    <form class="items-columns" noValidate onSubmit={submit}>
      <div class="stack">
        <TextField
          label="Name"
          mono
          placeholder="packing_list"
          autofocus={!prompt}
          value={form.name}
          onValue={(name) => set({ name })}
          error={save.fields.name}
        />
        <TextField
          label="Description"
          optional
          value={form.description}
          onValue={(description) => set({ description })}
          error={save.fields.description}
        />
        <div class="stack stack-tight">
          <div class="row">
            <Segmented label="Kind" value={form.kind} options={kinds} onValue={(kind) => set({ kind })} />
          </div>
          {form.kind === 'text' ? (
            <TextArea
              label="Template"
              mono
              rows={8}
              placeholder="Make a packing list for {{days}} days in {{city}}."
              hint="Names in double braces become arguments."
              value={form.template}
              onValue={(template) => set({ template })}
              error={save.fields.template_content}
            />
          ) : (
            <CodeEditor
              label="Messages"
              minLines={8}
              hint="A list of MCP messages with role and content. Names in double braces become arguments."
              value={form.messages}
              onValue={(messages) => set({ messages })}
              error={save.fields.messages ?? error}
            />
          )}
        </div>
        <ArgumentRows
          rows={form.arguments}
          onRows={(rows) => draft.set({ ...form, arguments: rows })}
          error={save.fields.arguments}
        />
        <EditorButtons
          noun="prompt"
          item={prompt}
          canEdit={canEdit}
          busy={save.busy}
          // The prompt can also be saved if its template has placeholders that the stored prompt does not declare.
          dirty={draft.dirty || (prompt !== undefined && form.arguments.length !== prompt.arguments.length)}
          general={save.general}
          onCancel={close}
          onDelete={deletePrompt}
        />
      </div>
      <PromptPreview form={form} />
    </form>
  );
}
