/** The form of a tool: kept while somebody looks elsewhere, saved with Ctrl-S, its faults by field. */
import { useEffect, useState } from 'preact/hooks';
import { patch, post } from '../../api/client';
import type { NewTool, Tool } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { useDraft } from '../../app/drafts';
import { forgetUnsaved, useUnsavedGuard } from '../../app/unsaved';
import { plainFault } from '../../logic/param-faults';
import { emptyTool, requestOf, standingFaults, type ToolForm } from '../../logic/tool-form';
import { fieldNames } from './tabs';

export interface ToolEditorState {
  form: ToolForm;
  change: (part: Partial<ToolForm>) => void;
  saved: ToolForm;
  dirty: boolean;
  busy: boolean;
  discard: () => void;
  /** Resolves to whether it is saved. */
  save: () => Promise<boolean>;
  /** What is wrong, by the name of the API. */
  faults: Record<string, string>;
  general: string | undefined;
}

export interface ToolEditorOptions {
  serverId: number;
  /** Undefined for a tool that does not exist yet. */
  tool: { id: number; form: ToolForm } | undefined;
  onSaved: (tool: Tool) => void;
  onFaults: (faults: Record<string, string>) => void;
}

export function useToolEditor({ serverId, tool, onSaved, onFaults }: ToolEditorOptions): ToolEditorState {
  const saved = tool?.form ?? emptyTool;
  const draft = useDraft(tool ? `tool/${tool.id}` : `server/${serverId}/new-tool`, saved);
  /** The form as it was last tried to save; faults go as their fields change. */
  const [tried, setTried] = useState<ToolForm>();
  const form = draft.value;
  useUnsavedGuard(draft.dirty, 'This tool');

  const send = useMutation(async (body: object) => {
    if (tool) return patch('/tools/{id}', body, { path: { id: tool.id } });
    // requestOf names what a new tool needs.
    return post('/servers/{server_id}/tools', body as NewTool, { path: { server_id: serverId } });
  }, fieldNames);
  const faults = tried
    ? { ...standingFaults(plainFaults(send.fields), tried, form), ...requestOf(form, tool?.form).faults }
    : {};

  useEffect(() => {
    if (send.error) onFaults(send.fields);
  }, [send.error]);

  const save = async () => {
    if (send.busy) return false;
    const request = requestOf(form, tool?.form);
    setTried(form);
    if (Object.keys(request.faults).length > 0) {
      onFaults(request.faults);
      return false;
    }
    if (tool && Object.keys(request.body).length === 0) {
      discard();
      return true;
    }
    const answer = await send.run(request.body);
    if (!answer) return false;
    setTried(undefined);
    draft.discard();
    forgetUnsaved();
    onSaved(answer.data);
    return true;
  };
  const discard = () => {
    setTried(undefined);
    send.clear();
    draft.discard();
  };
  return {
    form,
    change: (part) => draft.set({ ...form, ...part }),
    saved,
    dirty: draft.dirty,
    busy: send.busy,
    discard,
    save,
    faults,
    general: send.general,
  };
}

function plainFaults(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, fault]) => [field, plainFault(field, fault)]));
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
