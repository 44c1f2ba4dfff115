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
      {(control) => (
        <Editor {...props} controlId={control.id} describedBy={control['aria-describedby']} invalid={Boolean(error)} />
      )}
    </Field>
  );
}

interface EditorProps extends CodeEditorProps {
  controlId: string;
  describedBy: string | undefined;
  invalid: boolean;
}

function Editor(props: EditorProps) {
  const {
    label,
    value,
    onValue,
    language = 'json',
    readOnly = false,
    minLines = 6,
    fault,
    controlId,
    describedBy,
    invalid,
  } = props;
  const home = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorHandle>();
  const latest = useRef({ value, onValue });
  latest.current = { value, onValue };
  const [ready, setReady] = useState(false);

  useEffect(() => {
    let wanted = true;
    void import('./code-mirror').then(({ createEditor }) => {
      if (!wanted || !home.current) return;
      const attributes = {
        id: controlId,
        'aria-label': label,
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      };
      editor.current = createEditor(home.current, {
        value: latest.current.value,
        onValue: (text) => latest.current.onValue(text),
        language,
        readOnly,
        attributes,
      });
      setReady(true);
    });
    return () => {
      wanted = false;
      editor.current?.destroy();
    };
  }, [language, readOnly]);

  useEffect(() => editor.current?.setValue(value), [value, ready]);
  useEffect(() => editor.current?.setFault(fault), [fault?.line, fault?.column, fault?.message, ready]);

  return (
    <div
      ref={home}
      class={invalid ? 'code-editor code-editor-invalid' : 'code-editor'}
      style={{ minHeight: `${minLines * 20 + 18}px` }}
    >
      {!ready && <pre class="code-editor-waiting">{value}</pre>}
    </div>
  );
}
