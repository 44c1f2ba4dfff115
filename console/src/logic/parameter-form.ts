/** The table of parameters within the editor's form: cells take any text, and what cannot be applied yet waits in `pending`. */
import { isObject, parseJson, prettyJson } from './json';
import { nameFault, renameParameter, setDefault, setEnum } from './parameter-edits';
import { type Definition, propertiesOf, readParameters } from './parameters';
import type { ToolForm } from './tool-form';
import { renamePlaceholder } from './url-template';

/** Cells whose text may be half of something. */
export type Cell = 'name' | 'default' | 'enum';

/** A text in a cell: applied at once if it can be. */
export function typeInCell(form: ToolForm, name: string, cell: Cell, text: string): ToolForm {
  return settle({ ...form, pending: { ...form.pending, [cellKey(name, cell)]: text } });
}

export function pendingText(form: ToolForm, name: string, cell: Cell): string | undefined {
  return form.pending[cellKey(name, cell)];
}

/** Why the text of a cell waits. */
export function cellFault(form: ToolForm, name: string, cell: Cell): string | undefined {
  const text = pendingText(form, name, cell);
  if (text === undefined) return undefined;
  if (cell === 'name') return nameFault(form, name, text);
  const applied = cell === 'default' ? setDefault(form, name, text) : setEnum(form, name, text);
  return 'fault' in applied ? applied.fault : undefined;
}

export function withDefinition(form: ToolForm, { schema, mapping }: Definition): ToolForm {
  // Their own line breaks stay as long as the schema does.
  const schemaText = schema === form.schema ? form.schemaText : prettyJson(schema);
  return settle({ ...form, schema, mapping, schemaText });
}

/** The schema as JSON: the table follows as soon as it is one. */
export function typeSchema(form: ToolForm, schemaText: string): ToolForm {
  const parsed = parseJson(schemaText);
  if (!parsed || !isObject(parsed.json)) return { ...form, schemaText };
  return settle({ ...form, schema: parsed.json, schemaText });
}

/** Whether the JSON is half of a schema, so that the table shows the last whole one. */
export function isSchemaBroken({ schemaText }: ToolForm): boolean {
  return !isObject(parseJson(schemaText)?.json);
}

const cellKey = (name: string, cell: Cell) => JSON.stringify([cell, name]);

/** Applies what has become possible; what belongs to a parameter that is gone is dropped. */
function settle(form: ToolForm): ToolForm {
  let settled = form;
  for (const [key, text] of Object.entries(form.pending)) {
    // Only cellKey makes keys.
    const [cell, name] = JSON.parse(key) as [Cell, string];
    if (!Object.hasOwn(propertiesOf(settled.schema), name)) settled = dropPending(settled, key);
    else if (cellFault(settled, name, cell) === undefined)
      settled = applyCell(dropPending(settled, key), name, cell, text);
  }
  return settled;
}

function applyCell(form: ToolForm, name: string, cell: Cell, text: string): ToolForm {
  if (cell === 'name') return text === name ? form : rename(form, name, text);
  const applied = cell === 'default' ? setDefault(form, name, text) : setEnum(form, name, text);
  if ('fault' in applied || applied.definition.schema === form.schema) return form;
  return { ...form, schema: applied.definition.schema, schemaText: prettyJson(applied.definition.schema) };
}

/** A placeholder of the old name goes along, and what waits in other cells of the row. */
function rename(form: ToolForm, from: string, to: string): ToolForm {
  const row = readParameters(form).rows.find(({ name }) => name === from);
  const inUrl = row?.upstreamName === '' && (row.location === undefined || row.location === 'path');
  const { schema, mapping } = renameParameter(form, from, to);
  const pending = Object.entries(form.pending).map(([key, text]) => {
    const [cell, name] = JSON.parse(key) as [Cell, string];
    return [cellKey(name === from ? to : name, cell), text];
  });
  return {
    ...form,
    schema,
    schemaText: prettyJson(schema),
    mapping,
    pending: Object.fromEntries(pending),
    endpointUrl: inUrl ? renamePlaceholder(form.endpointUrl, from, to) : form.endpointUrl,
  };
}

function dropPending(form: ToolForm, key: string): ToolForm {
  const { [key]: _, ...pending } = form.pending;
  return { ...form, pending };
}
