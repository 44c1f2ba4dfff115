import { expect, it } from 'vitest';
import { importPath } from './import-path';

it('on a page of a server, documents are imported into that server', () => {
  expect(importPath('/servers/7/tools/3/test')).toBe('/servers/7/import');
  expect(importPath('/servers/7')).toBe('/servers/7/import');
  expect(importPath('/servers')).toBe('/import');
  expect(importPath('/calls')).toBe('/import');
});
