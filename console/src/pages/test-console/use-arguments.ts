/** Arguments of a test run, as a form or as JSON; switching converts the input. */
import { useMemo, useState } from 'preact/hooks';
import { type FormResult, type FormValue, fromForm, initialValue, toForm } from '../../logic/form-values';
import { isObject, parseJson, prettyJson } from '../../logic/json';
import { type FormField, formOf } from '../../logic/schema-form';

export type InputMode = 'form' | 'json';

export interface Arguments {
  form: FormField;
  mode: InputMode;
  setMode: (mode: InputMode) => void;
  value: FormValue;
  setValue: (value: FormValue) => void;
  text: string;
  setText: (text: string) => void;
  /** Why the form cannot show the JSON. */
  note: string | undefined;
  /** The arguments to send. */
  read: () => FormResult;
}

interface State {
  mode: InputMode;
  value: FormValue;
  text: string;
  note: string | undefined;
}

const notRepresentable = 'The form cannot represent these arguments. Edit them as JSON.';

/** `initial`: arguments of a replayed call. */
export function useArguments(schema: unknown, initial: Record<string, unknown> | undefined): Arguments {
  const form = useMemo(() => formOf(schema), [schema]);
  const [state, setState] = useState<State>(() => initialState(form, initial));
  const change = (part: Partial<State>) => setState((previous) => ({ ...previous, note: undefined, ...part }));
  const read = (): FormResult => (state.mode === 'form' ? fromForm(form, state.value) : readText(state.text));

  const setMode = (mode: InputMode) => {
    if (mode === 'json') return change({ mode, text: prettyJson(fromForm(form, state.value).json ?? {}) });
    const { json, errors } = readText(state.text);
    const represented = toForm(form, json);
    if (Object.keys(errors).length > 0) change({ note: 'This is not valid JSON. Correct it to switch to the form.' });
    else if (!represented) change({ note: notRepresentable });
    else change({ mode, value: represented.value });
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

function initialState(form: FormField, initial: Record<string, unknown> | undefined): State {
  const represented = initial && toForm(form, initial);
  const isForm = form.kind === 'group' && (initial === undefined || represented !== undefined);
  return {
    mode: isForm ? 'form' : 'json',
    value: represented ? represented.value : initialValue(form),
    text: prettyJson(initial ?? {}),
    note: initial && !isForm ? notRepresentable : undefined,
  };
}

function readText(text: string): FormResult {
  const parsed = parseJson(text.trim() === '' ? '{}' : text);
  if (!parsed) return { json: undefined, errors: { arguments: 'This is not valid JSON.' } };
  if (!isObject(parsed.json)) return { json: undefined, errors: { arguments: 'Enter a JSON object: { … }' } };
  return { json: parsed.json, errors: {} };
}
