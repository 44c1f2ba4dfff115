import { expect, it } from 'vitest';
import { setType } from './parameter-edits';
import { cellFault, isSchemaBroken, pendingText, typeInCell, typeSchema, withDefinition } from './parameter-form';
import { emptyTool, type ToolForm } from './tool-form';

const form: ToolForm = typeSchema(
  { ...emptyTool, endpointUrl: 'https://example.com/{city}' },
  '{"properties":{"city":{"type":"string"},"days":{"type":"integer","default":3}}}',
);

it('what can be applied is, in schema and JSON alike', () => {
  const changed = typeInCell(form, 'days', 'default', '7');
  expect(changed.schema.properties).toMatchObject({ days: { default: 7 } });
  expect(JSON.parse(changed.schemaText)).toEqual(changed.schema);
  expect(changed.pending).toEqual({});
});

it('what cannot waits, says why, and is applied once it can', () => {
  const waiting = typeInCell(form, 'days', 'default', 'soon');
  expect(waiting.schema).toEqual(form.schema);
  expect(pendingText(waiting, 'days', 'default')).toBe('soon');
  expect(cellFault(waiting, 'days', 'default')).toBe('This is not an integer.');
  const settled = withDefinition(waiting, setType(waiting, 'days', 'string'));
  expect(settled.schema.properties).toMatchObject({ days: { type: 'string', default: 'soon' } });
  expect(settled.pending).toEqual({});
});

it('a name is typed key by key, past one that is taken', () => {
  const clash = typeInCell(form, 'days', 'name', 'city');
  expect(cellFault(clash, 'days', 'name')).toContain('already');
  expect(clash.schema).toEqual(form.schema);
  const fine = typeInCell(clash, 'days', 'name', 'city2');
  expect(Object.keys(fine.schema.properties ?? {})).toEqual(['city', 'city2']);
  expect(fine.pending).toEqual({});
});

it('a rename takes the placeholder and the waiting cells along', () => {
  const waiting = typeInCell(form, 'city', 'enum', '[1');
  const renamed = typeInCell(waiting, 'city', 'name', 'town');
  expect(renamed.endpointUrl).toBe('https://example.com/{town}');
  expect(pendingText(renamed, 'town', 'enum')).toBe('[1');
});

it('a placeholder that is filled by its own name stays', () => {
  const mapped = { ...form, mapping: { city: { location: 'path', name: 'city' } } };
  expect(typeInCell(mapped, 'city', 'name', 'town').endpointUrl).toBe(form.endpointUrl);
});

it('half a schema leaves the table as it was', () => {
  const half = typeSchema(form, '{"properties":');
  expect(isSchemaBroken(half)).toBe(true);
  expect(half.schema).toEqual(form.schema);
  expect(isSchemaBroken(form)).toBe(false);
});

it('what waits for a parameter that is gone is dropped', () => {
  const waiting = typeInCell(form, 'days', 'default', 'soon');
  expect(typeSchema(waiting, '{"properties":{}}').pending).toEqual({});
});

it('the mapping alone does not rewrite the JSON', () => {
  const changed = withDefinition(form, { schema: form.schema, mapping: { city: { location: 'path' } } });
  expect(changed.schemaText).toBe(form.schemaText);
});
