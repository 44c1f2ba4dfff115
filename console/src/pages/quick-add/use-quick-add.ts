/** State of the Quick add page. It is a draft that survives navigation. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useDraft } from '../../app/drafts';
import { pastedCurl } from '../../app/quick-add';
import { describeUrl } from '../../logic/curl-description';
import type { CurlDraft, RequestParts, RowEdit, ValueRow } from '../../logic/curl-draft';
import { type Edits, isSameApi, noEdits } from '../../logic/curl-edits';
import { applyEdits, nameErrors, rowsOf, toolOf } from '../../logic/curl-tool';
import { fillVariables, missingVariables } from '../../logic/curl-variables';
import { toast } from '../../ui/Toast';
import { type CurlImportQuery, useImport } from './use-import';

/** The server for the tool: an existing or a new one. */
export interface ServerPlan {
  /** Undefined: a new server. */
  id: number | undefined;
  /** Name of the new server; undefined: the suggestion. */
  name?: string;
  auth: 'api-key' | 'none';
}

export interface SavedTool {
  id: number;
  serverId: number;
}

/** Edits and status of one imported tool. */
interface ToolState {
  edits: Edits;
  saved?: SavedTool;
  published?: boolean;
}

interface QuickAddForm {
  text: string;
  /** Index of the selected tool. */
  chosenIndex: number;
  /** By index. */
  tools: Record<number, ToolState>;
  /** Undefined until the user chooses. */
  server?: ServerPlan;
}

/** The tool with the current edits applied. */
export interface PlannedTool {
  /** With the values of its shell variables. */
  draft: CurlDraft;
  name: string;
  description: string;
  rows: ValueRow[];
  parts: RequestParts;
  /** Errors in argument names, by row id. */
  errors: Record<string, string>;
  /** Values of shell variables, by their text. */
  variables: Record<string, string>;
  /** Shell variables without a value. */
  missing: string[];
}

export interface QuickAdd {
  form: QuickAddForm;
  imported: CurlImportQuery;
  tool: PlannedTool | undefined;
  setText: (text: string) => void;
  choose: (index: number) => void;
  edit: (changes: Partial<Omit<Edits, 'rows'>>) => void;
  editRow: (id: string, changes: RowEdit) => void;
  setServer: (server: ServerPlan) => void;
  /** The selected tool, if it was saved before. */
  saved: SavedTool | undefined;
  setSaved: (saved: SavedTool) => void;
  /** Marks the tool as published and selects the next; false if there is none. */
  goToNext: () => boolean;
  /** Clears the page; can be undone. */
  startOver: () => void;
  /** Discards the draft after everything is published. */
  discard: () => void;
}

const emptyForm: QuickAddForm = { text: '', chosenIndex: 0, tools: {} };
const unedited: ToolState = { edits: noEdits };

export function useQuickAdd(): QuickAdd {
  const storedForm = useDraft<QuickAddForm>('quick-add', emptyForm);
  const form = useRef(storedForm.value);
  form.current = storedForm.value;
  const change = (changes: Partial<QuickAddForm>) => {
    form.current = { ...form.current, ...changes };
    storedForm.set(form.current);
  };
  const stateOf = ({ tools, chosenIndex }: QuickAddForm) => tools[chosenIndex] ?? unedited;
  const changeTool = (changes: Partial<ToolState>) => {
    const { tools, chosenIndex } = form.current;
    change({ tools: { ...tools, [chosenIndex]: { ...stateOf(form.current), ...changes } } });
  };

  /** Replaces the form, with an undo toast. */
  const replace = (next: QuickAddForm, message: string) => {
    const previous = form.current;
    change({ ...next, ...(previous.server ? { server: previous.server } : {}) });
    if (previous.text.trim() !== '') toast(message, { action: { label: 'Undo', run: () => storedForm.set(previous) } });
  };

  const pasted = pastedCurl.value;
  useEffect(() => {
    if (pasted === undefined) return;
    pastedCurl.value = undefined;
    if (pasted !== form.current.text) replace({ ...emptyForm, text: pasted }, 'Replaced the previous command.');
  }, [pasted]);

  const imported = useImport(storedForm.value.text);
  const draft = imported.drafts[storedForm.value.chosenIndex] ?? imported.drafts[0];
  useResetOnApiChange(draft, storedForm.value.chosenIndex, () => change({ tools: {} }));

  const { edits, saved } = stateOf(storedForm.value);
  return {
    form: storedForm.value,
    imported,
    tool: useMemo(() => draft && planTool(draft, edits), [draft, edits]),
    setText: (text) => change({ text }),
    choose: (chosenIndex) => change({ chosenIndex }),
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
      if (next >= 0) change({ chosenIndex: next });
      return next >= 0;
    },
    startOver: () => replace(emptyForm, 'Cleared the command.'),
    discard: storedForm.reset,
  };
}

/** Edits apply to one API: they carry over to another command of the same host, and are reset otherwise. */
function useResetOnApiChange(draft: CurlDraft | undefined, chosenIndex: number, reset: () => void): void {
  const previous = useRef({ draft, chosenIndex });
  useEffect(() => {
    if (draft === undefined) return;
    const { draft: previousDraft, chosenIndex: previousIndex } = previous.current;
    previous.current = { draft, chosenIndex };
    if (previousDraft && previousIndex === chosenIndex && !isSameApi(previousDraft, draft)) reset();
  }, [draft, chosenIndex]);
}

function planTool(imported: CurlDraft, edits: Edits): PlannedTool {
  const variables = edits.variables ?? {};
  const draft = fillVariables(imported, variables);
  const rows = applyEdits(rowsOf(draft), edits.rows);
  const parts = toolOf(draft, rows);
  return {
    draft,
    name: edits.name ?? draft.name,
    description: edits.description ?? describeUrl(draft.description, draft.endpoint_url, parts.endpoint_url),
    rows,
    parts,
    errors: nameErrors(rows),
    variables,
    missing: missingVariables(imported, variables),
  };
}
