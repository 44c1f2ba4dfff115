/** State of the tool editor: draft, errors by field, saving (Ctrl-S). */
import { useEffect, useState } from 'preact/hooks';
import { patch, post } from '../../api/client';
import type { NewTool, Tool } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { useDraft } from '../../app/drafts';
import { clearUnsaved, useUnsavedGuard } from '../../app/unsaved';
import { shortenParamError } from '../../logic/param-errors';
import { errorFields } from '../../logic/tool-fields';
import { buildToolRequest, emptyTool, type ToolForm, unresolvedErrors } from '../../logic/tool-form';

export interface ToolEditorState {
  serverId: number;
  /** Undefined for a new tool. */
  toolId: number | undefined;
  form: ToolForm;
  change: (part: Partial<ToolForm>) => void;
  /** The form without unsaved changes. */
  saved: ToolForm;
  dirty: boolean;
  busy: boolean;
  discard: () => void;
  /** Resolves to true if the tool is saved. */
  save: () => Promise<boolean>;
  /** Errors by API field. */
  errors: Record<string, string>;
  /** Errors without a field. */
  general: string | undefined;
}

export interface ToolEditorOptions {
  serverId: number;
  /** Undefined for a new tool. */
  tool: { id: number; form: ToolForm } | undefined;
  onSaved: (tool: Tool) => void;
  onErrors: (errors: Record<string, string>) => void;
}

export function useToolEditor({ serverId, tool, onSaved, onErrors }: ToolEditorOptions): ToolEditorState {
  const saved = tool?.form ?? emptyTool;
  const draft = useDraft(tool ? `tool/${tool.id}` : `server/${serverId}/new-tool`, saved);
  /** The form at the last attempt to save; an error disappears when its field changes. */
  const [attempted, setAttempted] = useState<ToolForm>();
  const form = draft.value;
  useUnsavedGuard(draft.dirty, 'This tool');

  const send = useMutation(async (body: object) => {
    if (tool) return patch('/tools/{id}', body, { path: { id: tool.id } });
    // buildToolRequest always includes the required fields of a new tool.
    return post('/servers/{server_id}/tools', body as NewTool, { path: { server_id: serverId } });
  }, errorFields);
  const errors = attempted
    ? {
        ...unresolvedErrors(shortenParamErrors(send.fields), attempted, form),
        ...buildToolRequest(form, tool?.form).errors,
      }
    : {};

  useEffect(() => {
    if (send.error) onErrors(send.fields);
  }, [send.error]);

  const save = async () => {
    if (send.busy) return false;
    const request = buildToolRequest(form, tool?.form);
    setAttempted(form);
    if (Object.keys(request.errors).length > 0) {
      onErrors(request.errors);
      return false;
    }
    if (tool && Object.keys(request.body).length === 0) {
      discard();
      return true;
    }
    const response = await send.run(request.body);
    if (!response) return false;
    setAttempted(undefined);
    draft.reset();
    clearUnsaved();
    onSaved(response.data);
    return true;
  };
  const discard = () => {
    setAttempted(undefined);
    send.clear();
    draft.reset();
  };
  return {
    serverId,
    toolId: tool?.id,
    form,
    change: (part) => draft.set({ ...form, ...part }),
    saved,
    dirty: draft.dirty,
    busy: send.busy,
    discard,
    save,
    errors,
    general: send.general,
  };
}

function shortenParamErrors(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, error]) => [field, shortenParamError(field, error)]));
}

export function useSaveKey(save: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      save();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}
