/** The arguments somebody fills in, by form or as JSON; what was typed survives the change from one to the other. */
import { useMemo, useState } from 'preact/hooks';
import { type FormResult, type FormValue, fromForm, startValue, toForm } from '../../logic/form-values';
import { isObject, parseJson, prettyJson } from '../../logic/json';
import { type FormField, formOf } from '../../logic/schema-form';

export type Mode = 'form' | 'json';

export interface Arguments {
  form: FormField;
  mode: Mode;
  setMode: (mode: Mode) => void;
  value: FormValue;
  setValue: (value: FormValue) => void;
  text: string;
  setText: (text: string) => void;
  /** Why the form cannot show what the JSON says. */
  note: string | undefined;
  /** What would be sent. */
  read: () => FormResult;
}

interface State {
  mode: Mode;
  value: FormValue;
  text: string;
  note: string | undefined;
}

const beyondForm = 'The form cannot show these arguments without losing something, so they stay JSON.';

/** `initial`: arguments of a call to be made again. */
export function useArguments(schema: unknown, initial: Record<string, unknown> | undefined): Arguments {
  const form = useMemo(() => formOf(schema), [schema]);
  const [state, setState] = useState<State>(() => start(form, initial));
  const change = (part: Partial<State>) => setState((before) => ({ ...before, note: undefined, ...part }));
  const read = (): FormResult => (state.mode === 'form' ? fromForm(form, state.value) : readText(state.text));

  const setMode = (mode: Mode) => {
    if (mode === 'json') return change({ mode, text: prettyJson(fromForm(form, state.value).json ?? {}) });
    const { json, faults } = readText(state.text);
    const shown = toForm(form, json);
    if (Object.keys(faults).length > 0) change({ note: 'This is not JSON yet: mend it, then the form can show it.' });
    else if (!shown) change({ note: beyondForm });
    else change({ mode, value: shown.value });
  };
  return {
    form,
    ...state,
    setMode,
    setValue: (value) => change({ value }),
    setText: (text) => change({ text }),
    read,
  };
}

function start(form: FormField, initial: Record<string, unknown> | undefined): State {
  const shown = initial && toForm(form, initial);
  const inForm = form.kind === 'group' && (initial === undefined || shown !== undefined);
  return {
    mode: inForm ? 'form' : 'json',
    value: shown ? shown.value : startValue(form),
    text: prettyJson(initial ?? {}),
    note: initial && !inForm ? beyondForm : undefined,
  };
}

function readText(text: string): FormResult {
  const parsed = parseJson(text.trim() === '' ? '{}' : text);
  if (!parsed) return { json: undefined, faults: { arguments: 'This is not JSON.' } };
  if (!isObject(parsed.json)) return { json: undefined, faults: { arguments: 'Arguments are an object: { … }' } };
  return { json: parsed.json, faults: {} };
}
