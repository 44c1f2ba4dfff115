/** CodeMirror setup. Loaded on demand: only CodeEditor.tsx may import this file. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { emittedValues } from '../logic/emitted-values';

export interface EditorSetup {
  value: string;
  onValue: (value: string) => void;
  language: 'json' | 'text';
  readOnly: boolean;
  label: string;
}

export interface EditorMarker {
  line: number;
  column: number;
  message: string;
}

export interface EditorHandle {
  setValue: (value: string) => void;
  setMarker: (marker: EditorMarker | undefined) => void;
  /** Accessible description: the hint or the error. */
  setDescription: (text: string, invalid: boolean) => void;
  destroy: () => void;
}

/**
 * Uses a shadow root: there CodeMirror uses adopted style sheets. In the document it would insert a `<style>` element,
 * which the Content-Security-Policy forbids.
 */
export function createEditor(container: HTMLElement, setup: EditorSetup): EditorHandle {
  const root = container.shadowRoot ?? container.attachShadow({ mode: 'open' });
  const description = new Compartment();
  const emitted = emittedValues();
  /** True while setValue changes the document, which must not be reported as typed. */
  let isSettingValue = false;
  const onValue = (value: string) => {
    if (isSettingValue) return;
    emitted.record(value);
    setup.onValue(value);
  };
  const state = EditorState.create({
    doc: setup.value,
    extensions: [extensions({ ...setup, onValue }), description.of([])],
  });
  const view = new EditorView({ parent: root, root, state });
  return {
    setValue(value) {
      if (emitted.takeIfEmitted(value) || value === view.state.doc.toString()) return;
      isSettingValue = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
      isSettingValue = false;
    },
    setMarker(marker) {
      view.dispatch(setDiagnostics(view.state, marker ? [diagnostic(view.state, marker)] : []));
    },
    setDescription(text, invalid) {
      const attributes = { 'aria-description': text, 'aria-invalid': String(invalid) };
      view.dispatch({ effects: description.reconfigure(EditorView.contentAttributes.of(attributes)) });
    },
    destroy: () => view.destroy(),
  };
}

function extensions({ onValue, language, readOnly, label }: EditorSetup): Extension[] {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    highlightActiveLine(),
    indentUnit.of('  '),
    // Tab indents; Escape followed by Tab leaves the editor.
    keymap.of([{ key: 'Escape', run: leaveWithTab }, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    EditorState.readOnly.of(readOnly),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onValue(update.state.doc.toString());
    }),
    theme,
    syntaxHighlighting(colours),
    ...(language === 'json' ? [json(), linter(lintJson), lintGutter()] : []),
  ];
}

/** Tab moves the focus until another key is pressed. By default, CodeMirror allows this for two seconds only. */
function leaveWithTab(view: EditorView): boolean {
  // CodeMirror sets its own time limit after the key bindings have run.
  setTimeout(() => view.setTabFocusMode(leaveTimeoutMs));
  return false;
}

/** CodeMirror requires a limit; ten minutes is practically none. */
const leaveTimeoutMs = 600_000;

/** An empty document is not an error. */
const lintJson = (view: EditorView) => (view.state.doc.toString().trim() === '' ? [] : jsonParseLinter()(view));

function diagnostic(state: EditorState, { line, column, message }: EditorMarker) {
  const text = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  const from = Math.min(text.from + column - 1, text.to);
  return { from, to: Math.min(from + 1, text.to), severity: 'error' as const, message };
}

const theme = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--text)', fontSize: 'inherit', maxHeight: '480px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--faint)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--border)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent-text)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: tags.punctuation, color: 'var(--muted)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);
