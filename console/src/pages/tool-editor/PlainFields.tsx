/** The fields of a tool that need no component of their own. */
import { type PlainName, type PlainTab, plainNames, toolFields } from '../../logic/tool-fields';
import { CodeEditor } from '../../ui/CodeEditor';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import type { ToolEditorState } from './use-tool-editor';

interface PlainFieldsProps {
  editor: ToolEditorState;
  tab: PlainTab;
  /** Shows the fields with JSON text instead of the others. */
  json?: boolean;
}

export function PlainFields({ editor, tab, json = false }: PlainFieldsProps) {
  return (
    <>
      {plainNames(tab, json).map((name) => (
        <PlainField key={name} editor={editor} name={name} />
      ))}
    </>
  );
}

function PlainField({ editor, name }: { editor: ToolEditorState; name: PlainName }) {
  const { form, change, errors } = editor;
  const { control } = toolFields[name];
  const onValue = (value: string) => {
    const part: Partial<Record<PlainName, string>> = { [name]: value };
    change(part);
  };
  const state = { value: form[name], onValue, error: errors[name] };
  if ('options' in control) {
    const options = Object.entries(control.options).map(([value, label]) => ({ value, label }));
    return <Select {...control} {...state} options={options} />;
  }
  if ('minLines' in control) return <CodeEditor {...control} {...state} />;
  return <TextField {...control} {...state} />;
}
