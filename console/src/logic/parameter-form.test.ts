import { expect, it } from 'vitest';
import { setType } from './parameter-edits';
import { cellError, isSchemaBroken, pendingText, setCellText, setSchemaText, withDefinition } from './parameter-form';
import { emptyTool, type ToolForm } from './tool-form';

const form: ToolForm = setSchemaText(
  { ...emptyTool, endpoint_url: 'https://example.com/{city}' },
  '{"properties":{"city":{"type":"string"},"days":{"type":"integer","default":3}}}',
);

it('valid text is applied to the schema and its JSON', () => {
  const changed = setCellText(form, 'days', 'default', '7');
  expect(changed.input_schema.properties).toMatchObject({ days: { default: 7 } });
  expect(JSON.parse(changed.schemaText)).toEqual(changed.input_schema);
  expect(changed.pending).toEqual({});
});

it('invalid text is pending with a reason, and applied once it is valid', () => {
  const withPending = setCellText(form, 'days', 'default', 'soon');
  expect(withPending.input_schema).toEqual(form.input_schema);
  expect(pendingText(withPending, 'days', 'default')).toBe('soon');
  expect(cellError(withPending, 'days', 'default')).toBe('This is not an integer.');
  const retyped = withDefinition(withPending, setType(withPending, 'days', 'string'));
  expect(retyped.input_schema.properties).toMatchObject({ days: { type: 'string', default: 'soon' } });
  expect(retyped.pending).toEqual({});
});

it('typing a name may pass through a name that is taken', () => {
  const clash = setCellText(form, 'days', 'name', 'city');
  expect(cellError(clash, 'days', 'name')).toContain('already');
  expect(clash.input_schema).toEqual(form.input_schema);
  const free = setCellText(clash, 'days', 'name', 'city2');
  expect(Object.keys(free.input_schema.properties ?? {})).toEqual(['city', 'city2']);
  expect(free.pending).toEqual({});
});

it('a rename updates the placeholder and the pending cells', () => {
  const withPending = setCellText(form, 'city', 'enum', '[1');
  const renamed = setCellText(withPending, 'city', 'name', 'town');
  expect(renamed.endpoint_url).toBe('https://example.com/{town}');
  expect(pendingText(renamed, 'town', 'enum')).toBe('[1');
});

it('a placeholder with a mapped name stays', () => {
  const mapped = { ...form, parameter_mapping: { city: { location: 'path', name: 'city' } } };
  expect(setCellText(mapped, 'city', 'name', 'town').endpoint_url).toBe(form.endpoint_url);
});

it('an incomplete schema does not change the table', () => {
  const incomplete = setSchemaText(form, '{"properties":');
  expect(isSchemaBroken(incomplete)).toBe(true);
  expect(incomplete.input_schema).toEqual(form.input_schema);
  expect(isSchemaBroken(form)).toBe(false);
});

it('pending text of a removed parameter is dropped', () => {
  const withPending = setCellText(form, 'days', 'default', 'soon');
  expect(setSchemaText(withPending, '{"properties":{}}').pending).toEqual({});
});

it('a mapping change does not reformat the JSON', () => {
  const changed = withDefinition(form, {
    input_schema: form.input_schema,
    parameter_mapping: { city: { location: 'path' } },
  });
  expect(changed.schemaText).toBe(form.schemaText);
});
