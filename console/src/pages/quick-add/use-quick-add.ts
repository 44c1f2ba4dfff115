/** Everything the Quick add page knows; it outlives the page, so that nothing typed is lost. */
import { useEffect, useRef } from 'preact/hooks';
import { useDraft } from '../../app/drafts';
import { pastedCurl } from '../../app/quick-add';
import type { CurlDraft, RequestParts, RowEdit, ValueRow } from '../../logic/curl-draft';
import { type Edits, editsFor, noEdits } from '../../logic/curl-edits';
import { applyEdits, nameFaults, rowsOf, toolOf } from '../../logic/curl-toggles';
import { type Imported, useImport } from './use-import';

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

interface Form {
  text: string;
  /** Of several commands, the tool that is looked at. */
  chosen: number;
  edits: Edits;
  /** Undefined until somebody chooses. */
  server?: ServerPlan;
  saved?: SavedTool;
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
  imported: Imported;
  tool: PlannedTool | undefined;
  setText: (text: string) => void;
  choose: (index: number) => void;
  edit: (changes: Partial<Omit<Edits, 'rows'>>) => void;
  editRow: (id: string, changes: RowEdit) => void;
  setServer: (server: ServerPlan) => void;
  setSaved: (saved: SavedTool) => void;
  clear: () => void;
}

const start: Form = { text: '', chosen: 0, edits: noEdits };

export function useQuickAdd(): QuickAdd {
  const kept = useDraft<Form>('quick-add', start);
  const form = useRef(kept.value);
  form.current = kept.value;
  const change = (changes: Partial<Form>) => {
    form.current = { ...form.current, ...changes };
    kept.set(form.current);
  };

  const pasted = pastedCurl.value;
  useEffect(() => {
    if (pasted === undefined) return;
    pastedCurl.value = undefined;
    const { server } = form.current;
    form.current = { ...start, text: pasted, ...(server ? { server } : {}) };
    kept.set(form.current);
  }, [pasted]);

  const imported = useImport(kept.value.text);
  const draft = imported.drafts[kept.value.chosen] ?? imported.drafts[0];
  const before = useRef(draft);
  useEffect(() => {
    if (draft === undefined || draft === before.current) return;
    const edits = editsFor(form.current.edits, before.current, draft);
    before.current = draft;
    if (edits !== form.current.edits) change({ edits });
  }, [draft]);

  return {
    form: kept.value,
    imported,
    tool: draft && plan(draft, kept.value.edits),
    setText: (text) => change({ text }),
    choose: (chosen) => change({ chosen, edits: noEdits }),
    edit: (changes) => change({ edits: { ...form.current.edits, ...changes } }),
    editRow: (id, changes) => {
      const { rows, ...others } = form.current.edits;
      change({ edits: { ...others, rows: { ...rows, [id]: { ...rows[id], ...changes } } } });
    },
    setServer: (server) => change({ server }),
    setSaved: (saved) => change({ saved }),
    clear: kept.discard,
  };
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
