/** Everything the Quick add page knows; it outlives the page, so that nothing typed is lost. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useDraft } from '../../app/drafts';
import { pastedCurl } from '../../app/quick-add';
import type { CurlDraft, RequestParts, RowEdit, ValueRow } from '../../logic/curl-draft';
import { type Edits, isSameApi, noEdits } from '../../logic/curl-edits';
import { applyEdits, nameFaults, rowsOf, toolOf } from '../../logic/curl-toggles';
import { toast } from '../../ui/Toast';
import { type Importing, useImport } from './use-import';

/** The server that the tool goes to: one that is there, or one to be made. */
export interface ServerPlan {
  /** Undefined: a new one. */
  id: number | undefined;
  /** Of the new one; undefined: as suggested. */
  name?: string;
  auth: 'api-key' | 'none';
}

export interface SavedTool {
  id: number;
  serverId: number;
}

/** What was done about one of the tools that the text describes. */
interface ToolState {
  edits: Edits;
  saved?: SavedTool;
  published?: boolean;
}

interface Form {
  text: string;
  /** Of several commands, the tool that is looked at. */
  chosen: number;
  /** By their place among the tools. */
  tools: Record<number, ToolState>;
  /** Undefined until somebody chooses. */
  server?: ServerPlan;
}

/** The tool as the form has it now. */
export interface PlannedTool {
  draft: CurlDraft;
  name: string;
  description: string;
  rows: ValueRow[];
  parts: RequestParts;
  /** What is wrong with names of arguments, by row. */
  faults: Record<string, string>;
}

export interface QuickAdd {
  form: Form;
  imported: Importing;
  tool: PlannedTool | undefined;
  setText: (text: string) => void;
  choose: (index: number) => void;
  edit: (changes: Partial<Omit<Edits, 'rows'>>) => void;
  editRow: (id: string, changes: RowEdit) => void;
  setServer: (server: ServerPlan) => void;
  /** The tool that is looked at, where it was saved before. */
  saved: SavedTool | undefined;
  setSaved: (saved: SavedTool) => void;
  /** Marks the tool as done and turns to the next; false where there is none. */
  goToNext: () => boolean;
  /** Clears the page; it can be undone. */
  startOver: () => void;
  /** Everything is published. */
  done: () => void;
}

const start: Form = { text: '', chosen: 0, tools: {} };
const untouched: ToolState = { edits: noEdits };

export function useQuickAdd(): QuickAdd {
  const kept = useDraft<Form>('quick-add', start);
  const form = useRef(kept.value);
  form.current = kept.value;
  const change = (changes: Partial<Form>) => {
    form.current = { ...form.current, ...changes };
    kept.set(form.current);
  };
  const stateOf = ({ tools, chosen }: Form) => tools[chosen] ?? untouched;
  const changeTool = (changes: Partial<ToolState>) => {
    const { tools, chosen } = form.current;
    change({ tools: { ...tools, [chosen]: { ...stateOf(form.current), ...changes } } });
  };

  /** All at once, with a way back. */
  const replace = (next: Form, news: string) => {
    const before = form.current;
    change({ ...next, ...(before.server ? { server: before.server } : {}) });
    if (before.text.trim() !== '') toast(news, { action: { label: 'Undo', run: () => kept.set(before) } });
  };

  const pasted = pastedCurl.value;
  useEffect(() => {
    if (pasted === undefined) return;
    pastedCurl.value = undefined;
    if (pasted !== form.current.text) replace({ ...start, text: pasted }, 'The command before was replaced.');
  }, [pasted]);

  const imported = useImport(kept.value.text);
  const draft = imported.drafts[kept.value.chosen] ?? imported.drafts[0];
  useForgetting(draft, kept.value.chosen, () => change({ tools: {} }));

  const { edits, saved } = stateOf(kept.value);
  return {
    form: kept.value,
    imported,
    tool: useMemo(() => draft && plan(draft, edits), [draft, edits]),
    setText: (text) => change({ text }),
    choose: (chosen) => change({ chosen }),
    edit: (changes) => changeTool({ edits: { ...stateOf(form.current).edits, ...changes } }),
    editRow: (id, changes) => {
      const { rows, ...others } = stateOf(form.current).edits;
      changeTool({ edits: { ...others, rows: { ...rows, [id]: { ...rows[id], ...changes } } } });
    },
    setServer: (server) => change({ server }),
    saved,
    setSaved: (tool) => changeTool({ saved: tool }),
    goToNext: () => {
      changeTool({ published: true });
      const next = imported.drafts.findIndex((_, index) => !form.current.tools[index]?.published);
      if (next >= 0) change({ chosen: next });
      return next >= 0;
    },
    startOver: () => replace(start, 'The command was cleared.'),
    done: kept.discard,
  };
}

/** Edits are about one API: they go with another command of it, not with one of another host. */
function useForgetting(draft: CurlDraft | undefined, chosen: number, forget: () => void): void {
  const before = useRef({ draft, chosen });
  useEffect(() => {
    if (draft === undefined) return;
    const { draft: last, chosen: lastChosen } = before.current;
    before.current = { draft, chosen };
    if (last && lastChosen === chosen && !isSameApi(last, draft)) forget();
  }, [draft, chosen]);
}

function plan(draft: CurlDraft, edits: Edits): PlannedTool {
  const rows = applyEdits(rowsOf(draft), edits.rows);
  return {
    draft,
    name: edits.name ?? draft.name,
    description: edits.description ?? draft.description,
    rows,
    parts: toolOf(draft, rows),
    faults: nameFaults(rows),
  };
}
