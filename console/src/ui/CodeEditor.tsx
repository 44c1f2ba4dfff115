/** An editor for JSON and other code. CodeMirror is heavy: it is loaded when the first editor is shown. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EditorHandle } from './code-mirror';
import { Field, type FieldProps } from './Field';
import './CodeEditor.css';

export interface CodeEditorProps extends FieldProps {
  value: string;
  onValue: (value: string) => void;
  language?: 'json' | 'text' | undefined;
  readOnly?: boolean | undefined;
  /** Lines that are in sight at least. */
  minLines?: number | undefined;
  /** A fault to mark, counted from 1, as the API tells it. */
  fault?: { line: number; column: number; message: string } | undefined;
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
  const { id, label, value, onValue, language = 'json', readOnly = false, minLines = 6, fault, error, hint } = props;
  const home = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorHandle>();
  const latest = useRef({ value, onValue });
  latest.current = { value, onValue };
  const [ready, setReady] = useState(false);

  useEffect(() => {
    let wanted = true;
    void import('./code-mirror').then(({ createEditor }) => {
      if (!wanted || !home.current) return;
      const tell = (text: string) => latest.current.onValue(text);
      editor.current = createEditor(home.current, {
        value: latest.current.value,
        onValue: tell,
        language,
        readOnly,
        label,
      });
      setReady(true);
    });
    return () => {
      wanted = false;
      editor.current?.destroy();
    };
  }, [language, readOnly, label]);

  useEffect(() => editor.current?.setValue(value), [value, ready]);
  useEffect(() => editor.current?.setFault(fault), [fault?.line, fault?.column, fault?.message, ready]);
  useEffect(() => {
    // Ids do not reach into the editor, so it is told in words what stands around it.
    editor.current?.setDescription(error ?? (typeof hint === 'string' ? hint : ''), error !== undefined);
  }, [error, hint, ready]);

  return (
    <div
      class={error ? 'code-editor code-editor-invalid' : 'code-editor'}
      style={{ minHeight: `${minLines * 20 + 18}px` }}
    >
      {!ready && <pre class="code-editor-waiting">{value}</pre>}
      <div ref={home} id={id} />
    </div>
  );
}
