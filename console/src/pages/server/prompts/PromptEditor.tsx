/** One prompt, with what it becomes beside it. */
import { useState } from 'preact/hooks';
import { patch, post, remove } from '../../../api/client';
import type { Prompt } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { useDraft } from '../../../app/drafts';
import { useUnsavedGuard } from '../../../app/unsaved';
import {
  emptyPrompt,
  messagesFault,
  type PromptForm,
  toPromptBody,
  toPromptForm,
  withArguments,
} from '../../../logic/prompt-form';
import { CodeEditor } from '../../../ui/CodeEditor';
import { Confirm } from '../../../ui/Confirm';
import { Segmented } from '../../../ui/Segmented';
import { TextArea } from '../../../ui/TextArea';
import { TextField } from '../../../ui/TextField';
import { toast } from '../../../ui/Toast';
import { EditorButtons } from '../EditorButtons';
import { openItem } from '../ItemList';
import { ArgumentRows } from './ArgumentRows';
import { PromptPreview } from './PromptPreview';
import './prompts.css';

const kinds = [
  { value: 'text', label: 'One text' },
  { value: 'messages', label: 'Messages' },
] as const;

export interface PromptEditorProps {
  serverId: number;
  /** Undefined makes a new one. */
  prompt: Prompt | undefined;
  onChanged: () => void;
}

export function PromptEditor({ serverId, prompt, onChanged }: PromptEditorProps) {
  const [deleting, setDeleting] = useState(false);
  const draft = useDraft(
    `server/${serverId}/prompt/${prompt?.id ?? 'new'}`,
    prompt ? toPromptForm(prompt) : emptyPrompt,
  );
  useUnsavedGuard(draft.dirty, 'This prompt');
  const form = draft.value;
  const set = (part: Partial<PromptForm>) => draft.set(withArguments({ ...form, ...part }));
  const fault = messagesFault(form);

  const close = () => {
    draft.discard();
    openItem(undefined);
  };
  const save = useMutation(async () => {
    const body = toPromptBody(form);
    const path = { server_id: serverId };
    if (prompt) await patch('/servers/{server_id}/prompts/{id}', body, { path: { ...path, id: prompt.id } });
    else await post('/servers/{server_id}/prompts', body, { path });
    toast(`${form.name} was saved.`);
    onChanged();
    close();
  }, ['name', 'description', 'template_content', 'messages', 'arguments']);
  const submit = (event: Event) => {
    event.preventDefault();
    if (fault === undefined) void save.run();
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
              hint="Messages of MCP, each with a role and a content. Names in double braces become arguments."
              value={form.messages}
              onValue={(messages) => set({ messages })}
              error={save.fields.messages ?? fault}
            />
          )}
        </div>
        <ArgumentRows
          rows={form.arguments}
          onRows={(rows) => draft.set({ ...form, arguments: rows })}
          error={save.fields.arguments}
        />
        <EditorButtons
          saveLabel={prompt ? 'Save prompt' : 'Create prompt'}
          busy={save.busy}
          // Placeholders that the stored prompt does not declare were found: they are worth saving.
          dirty={draft.dirty || (prompt !== undefined && form.arguments.length !== prompt.arguments.length)}
          general={save.general}
          onCancel={close}
          onDelete={prompt && (() => setDeleting(true))}
        />
      </div>
      <PromptPreview form={form} />
      {deleting && prompt && (
        <Confirm
          title="Delete prompt"
          action="Delete prompt"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await remove('/servers/{server_id}/prompts/{id}', { path: { server_id: serverId, id: prompt.id } });
            toast(`${prompt.name} was deleted.`);
            onChanged();
            close();
          }}
        >
          <strong class="prompts-name">{prompt.name}</strong> is gone from every client at once. There is no way back.
        </Confirm>
      )}
    </form>
  );
}
