import { expect, it } from 'vitest';
import { decodeDocument, documentBytesMax, isLink, readFiles, sourceArguments, sourceSize } from './import-source';

it('a link is a single http or https URL', () => {
  expect(isLink(' https://api.example.com/openapi.json\n')).toBe(true);
  expect(isLink('openapi: 3.1.0\ninfo: {}')).toBe(false);
  expect(isLink('https://a.example/x y')).toBe(false);
  expect(isLink('{"swagger": "2.0"}')).toBe(false);
});

it('files are decoded by their byte order mark', () => {
  expect(decodeDocument(new TextEncoder().encode('pets: ü').buffer)).toBe('pets: ü');
  expect(decodeDocument(new Uint8Array([0xff, 0xfe, 0x61, 0, 0x62, 0]).buffer)).toBe('ab');
  expect(decodeDocument(new Uint8Array([0xfe, 0xff, 0, 0x61]).buffer)).toBe('a');
});

it('a fetched document is sent back, so that it is fetched once', () => {
  const source = { kind: 'url', url: 'https://a.example/', headers: {} } as const;
  expect(sourceArguments(source, undefined)).toEqual({ url: 'https://a.example/', include_content: true });
  expect(sourceArguments({ ...source, headers: { A: 'b' } }, 'text')).toEqual({
    url: 'https://a.example/',
    url_headers: { A: 'b' },
    content: 'text',
  });
  expect(sourceArguments({ kind: 'text', text: 'x', fileName: undefined }, undefined)).toEqual({ content: 'x' });
});

it('a file is read as text, an archive and several files are sent as they are', async () => {
  const file = (name: string, text = 'a: 1') => new File([text], name);
  expect(await readFiles([file('a.yaml')])).toEqual({ kind: 'text', text: 'a: 1', fileName: 'a.yaml' });
  expect((await readFiles([file('a.ZIP')]))?.kind).toBe('files');
  const several = await readFiles([file('a.yaml'), file('b.yaml')]);
  expect(several?.kind === 'files' && sourceSize(several)).toBe(8);
  expect(await readFiles([])).toBeUndefined();
  expect((await readFiles([file('a', 'x'.repeat(documentBytesMax + 1))]))?.kind).toBe('error');
});

it('the size of a document is in bytes', () => {
  expect(sourceSize({ kind: 'text', text: 'ü: €😀', fileName: undefined })).toBe(11);
  expect(sourceSize({ kind: 'files', files: [new File(['ü'], 'a.yaml'), new File(['€'], 'b.yaml')] })).toBe(5);
  expect(sourceSize({ kind: 'url', url: 'https://a.example/', headers: {} })).toBeUndefined();
});
