import { expect, it } from 'vitest';
import { importBody } from './import-request';

it('arguments are JSON, or parts of a form next to files', () => {
  const args = { content: 'x', commit: true };
  expect(importBody({ arguments: args, files: [] })).toEqual({ body: args });
  const file = new File(['a'], 'a.zip');
  const body = importBody({ arguments: { ids: ['a'], commit: true, name: 'n', none: undefined }, files: [file] });
  const form = 'form' in body ? body.form : new FormData();
  expect([...form.keys()]).toEqual(['ids', 'commit', 'name', 'file']);
  expect([form.get('ids'), form.get('commit'), form.get('name')]).toEqual(['["a"]', 'true', 'n']);
});
