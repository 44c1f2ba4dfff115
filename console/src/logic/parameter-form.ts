/** The parameter table in the editor's form. Cells accept any text; `pending` holds text that cannot be applied yet. */
import { isObject, parseJson, prettyJson } from './json';
import { nameError, renameParameter, setDefault, setEnum } from './parameter-edits';
import { type ParameterDefinition, propertiesOf, readParameters } from './parameters';
import type { ToolForm } from './tool-form';
import { renamePlaceholder } from './url-template';

/** Cells whose text may be incomplete. */
export type Cell = 'name' | 'default' | 'enum';

/** Sets the text of a cell and applies it if possible. */
export function setCellText(form: ToolForm, name: string, cell: Cell, text: string): ToolForm {
  return applyPending({ ...form, pending: { ...form.pending, [cellKey(name, cell)]: text } });
}

export function pendingText(form: ToolForm, name: string, cell: Cell): string | undefined {
  return form.pending[cellKey(name, cell)];
}

/** Why the text of a cell is pending. */
export function cellError(form: ToolForm, name: string, cell: Cell): string | undefined {
  const text = pendingText(form, name, cell);
  if (text === undefined) return undefined;
  if (cell === 'name') return nameError(form, name, text);
  const applied = cell === 'default' ? setDefault(form, name, text) : setEnum(form, name, text);
  return 'error' in applied ? applied.error : undefined;
}

export function withDefinition(form: ToolForm, definition: ParameterDefinition): ToolForm {
  const { input_schema, parameter_mapping } = definition;
  // The user's formatting stays as long as the schema is unchanged.
  const schemaText = input_schema === form.input_schema ? form.schemaText : prettyJson(input_schema);
  return applyPending({ ...form, input_schema, parameter_mapping, schemaText });
}

/** Sets the schema text; the table changes once the text is a JSON object. */
export function setSchemaText(form: ToolForm, schemaText: string): ToolForm {
  const parsed = parseJson(schemaText);
  if (!parsed || !isObject(parsed.json)) return { ...form, schemaText };
  return applyPending({ ...form, input_schema: parsed.json, schemaText });
}

/** Whether the schema text is not a JSON object; the table then shows the last valid schema. */
export function isSchemaBroken({ schemaText }: ToolForm): boolean {
  return !isObject(parseJson(schemaText)?.json);
}

const cellKey = (name: string, cell: Cell) => JSON.stringify([cell, name]);

/** Applies pending texts that have become valid, and drops those of removed parameters. */
function applyPending(form: ToolForm): ToolForm {
  let current = form;
  for (const [key, text] of Object.entries(form.pending)) {
    // cellKey is the only source of keys.
    const [cell, name] = JSON.parse(key) as [Cell, string];
    if (!Object.hasOwn(propertiesOf(current.input_schema), name)) current = dropPending(current, key);
    else if (cellError(current, name, cell) === undefined)
      current = applyCell(dropPending(current, key), name, cell, text);
  }
  return current;
}

function applyCell(form: ToolForm, name: string, cell: Cell, text: string): ToolForm {
  if (cell === 'name') return text === name ? form : rename(form, name, text);
  const applied = cell === 'default' ? setDefault(form, name, text) : setEnum(form, name, text);
  if ('error' in applied || applied.definition.input_schema === form.input_schema) return form;
  const { input_schema } = applied.definition;
  return { ...form, input_schema, schemaText: prettyJson(input_schema) };
}

/** Renames a parameter, with its URL placeholder and the keys of its pending texts. */
function rename(form: ToolForm, from: string, to: string): ToolForm {
  const row = readParameters(form).rows.find(({ name }) => name === from);
  // With an upstream name, the placeholder has that name and stays.
  const isInUrl = row?.upstreamName === '' && (row.location === undefined || row.location === 'path');
  const { input_schema, parameter_mapping } = renameParameter(form, from, to);
  const pending = Object.entries(form.pending).map(([key, text]) => {
    const [cell, name] = JSON.parse(key) as [Cell, string];
    return [cellKey(name === from ? to : name, cell), text];
  });
  return {
    ...form,
    input_schema,
    schemaText: prettyJson(input_schema),
    parameter_mapping,
    pending: Object.fromEntries(pending),
    endpoint_url: isInUrl ? renamePlaceholder(form.endpoint_url, from, to) : form.endpoint_url,
  };
}

function dropPending(form: ToolForm, key: string): ToolForm {
  const { [key]: _, ...pending } = form.pending;
  return { ...form, pending };
}
