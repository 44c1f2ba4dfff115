/** Parameters of a tool: a table of schema and mapping, or the schema as JSON. */
import { useRef, useState } from 'preact/hooks';
import { plural } from '../../logic/format';
import { openPlaceholders } from '../../logic/open-placeholders';
import { splitParamError } from '../../logic/param-errors';
import { addFixedValue, addParameter, moveParameter, removeParameter, setRequired } from '../../logic/parameter-edits';
import { isSchemaBroken, setSchemaText, withDefinition } from '../../logic/parameter-form';
import { defaultLocation, type ParameterTable, readParameters } from '../../logic/parameters';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { CodeEditor } from '../../ui/CodeEditor';
import { Segmented } from '../../ui/Segmented';
import { FixedValueRow } from './FixedValueRow';
import { ParameterRow } from './ParameterRow';
import type { ToolEditorState } from './use-tool-editor';

const views = [
  { value: 'table', label: 'Table' },
  { value: 'json', label: 'JSON' },
] as const;

export function ParametersTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, errors } = editor;
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
          onValue={(text) => change(setSchemaText(form, text))}
          error={errors.input_schema}
          hint="JSON Schema of the arguments. The table updates as you type."
        />
      ) : (
        <>
          {errors.input_schema && <Callout tone="bad">{errors.input_schema}</Callout>}
          {isSchemaBroken(form) || table.unreadable ? (
            <Callout
              tone="warn"
              title="The table cannot show this schema"
              action={
                <Button size="small" onClick={() => setView('json')}>
                  Edit the JSON
                </Button>
              }
            >
              {table.unreadable ?? 'The JSON is incomplete.'}
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
  const { form, change, errors, saved } = editor;
  const list = useRef<HTMLUListElement>(null);
  const mappingErrors = splitParamError('parameter_mapping', errors.parameter_mapping);
  const { missing, filledByKey } = openPlaceholders(form, saved);
  /** Rows are keyed by index, so the focus must be moved explicitly. */
  function findControl(index: number, selector: string): HTMLInputElement | null | undefined {
    return list.current?.children[index]?.querySelector<HTMLInputElement>(selector);
  }
  const add = (preferredName?: string) => {
    const { definition, name } = addParameter(form, preferredName);
    // A parameter in the URL is required.
    change(withDefinition(form, preferredName === undefined ? definition : setRequired(definition, name, true)));
    requestAnimationFrame(() => {
      const input = findControl(table.rows.length, 'input');
      input?.focus();
      input?.select();
    });
  };
  const addFixed = () => {
    change(withDefinition(form, addFixedValue(form, defaultLocation(form.http_method, false)).definition));
    requestAnimationFrame(() => findControl(table.rows.length + table.fixedValues.length, 'input')?.focus());
  };
  const move = (name: string, index: number, steps: 1 | -1) => {
    change(withDefinition(form, moveParameter(form, name, steps)));
    const button = `.parameter-actions button:nth-child(${steps < 0 ? 1 : 2}):enabled`;
    // At the end of the list this button is disabled, so focus the other one.
    const findTarget = () =>
      findControl(index + steps, button) ?? findControl(index + steps, '.parameter-actions button:enabled');
    requestAnimationFrame(() => findTarget()?.focus());
  };
  const remove = (name: string, index: number) => {
    change(withDefinition(form, removeParameter(form, name)));
    requestAnimationFrame(() => findControl(Math.min(index, table.rows.length - 2), 'input')?.focus());
  };
  return (
    <>
      {errors.parameters && <Callout tone="bad">{errors.parameters}</Callout>}
      {mappingErrors[''] && <Callout tone="bad">{mappingErrors['']}</Callout>}
      {table.rows.length === 0 && (
        <p class="muted small">No parameters yet. Add one for each value that the model should choose.</p>
      )}
      <div class="parameters">
        {table.rows.length > 0 && (
          <div class="parameter-line parameters-head" aria-hidden="true">
            <span>Name</span>
            <span>Type</span>
            <span>Location</span>
            <span>Sent as</span>
          </div>
        )}
        <ul ref={list} class="parameter-list">
          {table.rows.map((parameter, index) => (
            // The index is the only stable key: names change with every keystroke.
            <ParameterRow
              key={index}
              parameter={parameter}
              form={form}
              onForm={change}
              error={mappingErrors[parameter.name]}
              isFirst={index === 0}
              isLast={index === table.rows.length - 1}
              onMove={(steps) => move(parameter.name, index, steps)}
              onRemove={() => remove(parameter.name, index)}
            />
          ))}
          {table.fixedValues.map((fixed) => (
            <FixedValueRow
              key={`fixed ${fixed.key}`}
              fixed={fixed}
              form={form}
              onForm={change}
              error={mappingErrors[fixed.key]}
            />
          ))}
        </ul>
      </div>
      <div class="row">
        <Button icon="plus" onClick={() => add()}>
          Add parameter
        </Button>
        <Button icon="plus" onClick={addFixed}>
          Add fixed value
        </Button>
        {missing.map((name) => (
          <Button key={name} icon="plus" onClick={() => add(name)}>
            {`Add {${name}} from the URL`}
          </Button>
        ))}
      </div>
      {filledByKey.length > 0 && (
        <p class="muted small">
          {filledByKey.map((name) => `{${name}}`).join(', ')} in the URL: filled by the API key, so no parameter is
          needed.
        </p>
      )}
      <HiddenKeywords table={table} />
    </>
  );
}

/** Keywords and mappings that the table does not show. */
function HiddenKeywords({ table }: { table: ParameterTable }) {
  const { hiddenKeywords, unusedMappings } = table;
  if (hiddenKeywords.length === 0 && unusedMappings.length === 0) return null;
  return (
    <p class="muted small parameters-extra">
      Not shown in the table, but preserved:{' '}
      {[...hiddenKeywords, ...unusedMappings.map((name) => `the mapping of ${name}`)].join(', ')}.
    </p>
  );
}
