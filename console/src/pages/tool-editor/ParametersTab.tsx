/** Arguments of a tool: a table over schema and mapping, or the schema as JSON. Both show the same thing. */
import { useRef, useState } from 'preact/hooks';
import { plural } from '../../logic/format';
import { splitFault } from '../../logic/param-faults';
import { addParameter, moveParameter, removeParameter, setRequired } from '../../logic/parameter-edits';
import { isSchemaBroken, typeSchema, withDefinition } from '../../logic/parameter-form';
import { type ParameterTable, readParameters } from '../../logic/parameters';
import { placeholdersOf } from '../../logic/url-template';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { CodeEditor } from '../../ui/CodeEditor';
import { Segmented } from '../../ui/Segmented';
import { ParameterRow } from './ParameterRow';
import type { ToolEditorState } from './use-tool-editor';

const views = [
  { value: 'table', label: 'Table' },
  { value: 'json', label: 'JSON' },
] as const;

export function ParametersTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, faults } = editor;
  const table = readParameters(form);
  const [view, setView] = useState<'table' | 'json'>(table.unreadable || isSchemaBroken(form) ? 'json' : 'table');
  return (
    <Card
      title={plural(table.rows.length, 'parameter')}
      actions={<Segmented label="View" value={view} options={views} onValue={setView} />}
    >
      {view === 'json' ? (
        <CodeEditor
          label="Input schema"
          hideLabel
          minLines={14}
          value={form.schemaText}
          onValue={(text) => change(typeSchema(form, text))}
          error={faults.input_schema}
          hint="JSON Schema of the arguments. The table follows as you type."
        />
      ) : (
        <>
          {faults.input_schema && <Callout tone="bad">{faults.input_schema}</Callout>}
          {isSchemaBroken(form) || table.unreadable ? (
            <Callout
              tone="warn"
              title="The table cannot show this schema"
              action={
                <Button size="small" onClick={() => setView('json')}>
                  Mend the JSON
                </Button>
              }
            >
              {table.unreadable ?? 'The JSON is not complete.'}
            </Callout>
          ) : (
            <TableView editor={editor} table={table} />
          )}
        </>
      )}
    </Card>
  );
}

function TableView({ editor, table }: { editor: ToolEditorState; table: ParameterTable }) {
  const { form, change, faults } = editor;
  const list = useRef<HTMLUListElement>(null);
  const mappingFaults = splitFault('parameter_mapping', faults.parameter_mapping);
  const filled = new Set(table.rows.map(({ name, upstreamName }) => upstreamName || name));
  const open = placeholdersOf(form.endpointUrl).filter((name) => !filled.has(name));
  /** Rows are drawn by their place, so the focus has to be taken along. */
  function control(index: number, selector: string): HTMLInputElement | null | undefined {
    return list.current?.children[index]?.querySelector<HTMLInputElement>(selector);
  }
  const add = (wish?: string) => {
    const { definition, name } = addParameter(form, wish);
    // What is a part of the address has to be there.
    change(withDefinition(form, wish === undefined ? definition : setRequired(definition, name, true)));
    requestAnimationFrame(() => {
      const input = control(table.rows.length, 'input');
      input?.focus();
      input?.select();
    });
  };
  const move = (name: string, index: number, steps: 1 | -1) => {
    change(withDefinition(form, moveParameter(form, name, steps)));
    const button = `.parameter-actions button:nth-child(${steps < 0 ? 1 : 2}):enabled`;
    // At the end of the list there is no further: the other button is.
    const focus = () => control(index + steps, button) ?? control(index + steps, '.parameter-actions button:enabled');
    requestAnimationFrame(() => focus()?.focus());
  };
  const remove = (name: string, index: number) => {
    change(withDefinition(form, removeParameter(form, name)));
    requestAnimationFrame(() => control(Math.min(index, table.rows.length - 2), 'input')?.focus());
  };
  return (
    <>
      {faults.parameters && <Callout tone="bad">{faults.parameters}</Callout>}
      {mappingFaults[''] && <Callout tone="bad">{mappingFaults['']}</Callout>}
      {table.rows.length === 0 && (
        <p class="muted small">The tool takes no arguments yet. Add one for each value that the model should choose.</p>
      )}
      <div class="parameters">
        {table.rows.length > 0 && (
          <div class="parameter-line parameters-head" aria-hidden="true">
            <span>Name</span>
            <span>Type</span>
            <span>Goes to</span>
            <span>Sent as</span>
          </div>
        )}
        <ul ref={list} class="parameter-list">
          {table.rows.map((parameter, index) => (
            // Rows have no identity but their place: names change with every key.
            <ParameterRow
              key={index}
              parameter={parameter}
              form={form}
              onForm={change}
              fault={mappingFaults[parameter.name]}
              first={index === 0}
              last={index === table.rows.length - 1}
              onMove={(steps) => move(parameter.name, index, steps)}
              onRemove={() => remove(parameter.name, index)}
            />
          ))}
        </ul>
      </div>
      <div class="row">
        <Button icon="plus" onClick={() => add()}>
          Add parameter
        </Button>
        {open.map((name) => (
          <Button key={name} icon="plus" onClick={() => add(name)}>
            {`Add {${name}} of the URL`}
          </Button>
        ))}
      </div>
      <Kept table={table} />
    </>
  );
}

/** What is there and the table has no column for. */
function Kept({ table }: { table: ParameterTable }) {
  const { more, strayMappings } = table;
  if (more.length === 0 && strayMappings.length === 0) return null;
  return (
    <p class="muted small parameters-kept">
      Not in the table, and kept as it is:{' '}
      {[...more, ...strayMappings.map((name) => `the mapping of ${name}`)].join(', ')}.
    </p>
  );
}
