/** Code editor for JSON and text. CodeMirror is large, so it is loaded with the first editor. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EditorHandle } from './code-mirror';
import { Field, type FieldProps } from './Field';
import { Kbd } from './Kbd';
import './CodeEditor.css';

/** Tab indents, so there must be another way to leave with the keyboard. */
const leaveHint = 'Press Escape, then Tab, to leave the editor.';

export interface CodeEditorProps extends FieldProps {
  value: string;
  onValue: (value: string) => void;
  language?: 'json' | 'text' | undefined;
  readOnly?: boolean | undefined;
  /** Minimum number of visible lines. */
  minLines?: number | undefined;
  /** An error position to mark; line and column count from 1, as in the API. */
  marker?: { line: number; column: number; message: string } | undefined;
}

export function CodeEditor(props: CodeEditorProps) {
  const { label, hint, error, optional, hideLabel } = props;
  return (
    <Field label={label} hint={hint} error={error} optional={optional} hideLabel={hideLabel}>
      {({ id }) => <Editor {...props} id={id} />}
    </Field>
  );
}

function Editor(props: CodeEditorProps & { id: string }) {
  const { id, label, value, onValue, language = 'json', readOnly = false, minLines = 6, marker, error, hint } = props;
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorHandle>();
  const latest = useRef({ value, onValue });
  latest.current = { value, onValue };
  const [ready, setReady] = useState(false);

  useEffect(() => {
    let mounted = true;
    void import('./code-mirror').then(({ createEditor }) => {
      if (!mounted || !container.current) return;
      const onEdit = (text: string) => latest.current.onValue(text);
      editor.current = createEditor(container.current, {
        value: latest.current.value,
        onValue: onEdit,
        language,
        readOnly,
        label,
      });
      setReady(true);
    });
    return () => {
      mounted = false;
      editor.current?.destroy();
    };
  }, [language, readOnly, label]);

  useEffect(() => editor.current?.setValue(value), [value, ready]);
  useEffect(() => editor.current?.setMarker(marker), [marker?.line, marker?.column, marker?.message, ready]);
  useEffect(() => {
    // aria-describedby cannot refer into the editor's shadow root, so the text itself is passed.
    const description = error ?? (typeof hint === 'string' ? hint : '');
    const text = readOnly ? description : `${description} ${leaveHint}`.trim();
    editor.current?.setDescription(text, error !== undefined);
  }, [error, hint, ready]);

  return (
    <div
      class={error ? 'code-editor code-editor-invalid' : 'code-editor'}
      // 20 px for each line, 18 px for padding and border.
      style={{ minHeight: `${minLines * 20 + 18}px` }}
    >
      {!ready && <pre class="code-editor-loading">{value}</pre>}
      <div ref={container} id={id} />
      {/* Screen readers read this text as a part of the editor's description. */}
      {!readOnly && (
        <p class="code-editor-keys" aria-hidden="true">
          <Kbd keys="Esc" /> then <Kbd keys="Tab" /> leaves the editor
        </p>
      )}
    </div>
  );
}
