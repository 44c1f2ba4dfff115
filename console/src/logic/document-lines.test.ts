import { describe, expect, it } from 'vitest';
import { indexDocument } from './document-lines';

function find(text: string, pointer: string): [number, number] | undefined {
  const range = indexDocument(text, [pointer]).find(pointer);
  return range && [range.first, range.last];
}

describe('in JSON', () => {
  const text = JSON.stringify(
    { openapi: '3.1.0', paths: { '/pets/{id}': { get: { parameters: [{ name: 'a"}' }, { name: 'b' }] }, put: {} } } },
    null,
    2,
  );

  it('members and items are found with their names', () => {
    expect(find(text, '#/openapi')).toEqual([2, 2]);
    expect(find(text, '#/paths/~1pets~1{id}/get')).toEqual([5, 14]);
    expect(find(text, '#/paths/~1pets~1{id}/get/parameters/1')).toEqual([10, 12]);
    expect(find(text, '#/paths/~1pets~1{id}/put')).toEqual([15, 15]);
  });

  it('a missing value has the lines of its nearest parent', () => {
    expect(find(text, '#/paths/~1pets~1{id}/put/responses/200')).toEqual([15, 15]);
    expect(find(text, '#/info')).toBeUndefined();
    expect(find(text, '#')).toBeUndefined();
  });

  it('broken text is read as far as possible', () => {
    expect(find('{"a": 1,\n"b": {"c": ', '#/a')).toEqual([1, 1]);
    expect(find('{"a": "x', '#/b')).toBeUndefined();
    expect(find('[{]}', '#/0')).toBeDefined();
  });
});

describe('in YAML', () => {
  const text = [
    'openapi: 3.0.0 # comment',
    'info:',
    '  description: |',
    '    paths:',
    '      not: here',
    '',
    '  title: Pets',
    'paths:',
    "  '/pets/{id}':",
    '    # a comment',
    '    get:',
    '      parameters:',
    '      - name: a',
    '        in: query',
    '      - name: b',
    '      responses:',
    '        200:',
    '          description: >-',
    '            ok: yes',
    '    "put": {a: 1}',
    '  /items:',
    '    get:',
    '      tags:',
    '        - x',
    '        -   y',
  ].join('\n');

  it('keys and items are found, also in lists that are not indented', () => {
    expect(find(text, '#/info/title')).toEqual([7, 7]);
    expect(find(text, '#/paths/~1pets~1{id}/get')).toEqual([11, 19]);
    expect(find(text, '#/paths/~1pets~1{id}/get/parameters/0')).toEqual([13, 14]);
    expect(find(text, '#/paths/~1pets~1{id}/get/parameters/1/name')).toEqual([15, 15]);
    expect(find(text, '#/paths/~1pets~1{id}/get/responses/200')).toEqual([17, 19]);
    expect(find(text, '#/paths/~1items/get/tags/1')).toEqual([25, 25]);
  });

  it('text blocks contain no keys, and flow style is found as a whole', () => {
    expect(find(text, '#/info/description/paths')).toEqual([3, 5]);
    expect(find(text, '#/paths/~1pets~1{id}/put/a')).toEqual([20, 20]);
  });
});

describe('the text of a value', () => {
  const document = { paths: { '/a': { get: { summary: 'x'.repeat(2_100) }, put: { summary: 'y' } } } };

  it('has the lines of the document', () => {
    const text = JSON.stringify({ ...document, paths: { '/a': { put: { summary: 'y' } } } }, null, 2);
    const excerpt = indexDocument(text, ['#/paths/~1a/put']).excerpt('#/paths/~1a/put');
    expect(excerpt).toEqual({ text: '      "put": {\n        "summary": "y"\n      }', firstLine: 4, isCut: false });
    const yaml = indexDocument('a:\n  b: 1\nc: 2', ['#/a', '#/c']);
    expect(yaml.excerpt('#/a')).toEqual({ text: 'a:\n  b: 1', firstLine: 1, isCut: false });
    expect(yaml.excerpt('#/c')).toEqual({ text: 'c: 2', firstLine: 3, isCut: false });
  });

  it('is formatted if the document is one line', () => {
    const excerpt = indexDocument(JSON.stringify(document), ['#/paths/~1a/put']).excerpt('#/paths/~1a/put');
    expect(excerpt?.text).toBe('{\n  "put": {\n    "summary": "y"\n  }\n}');
    expect(excerpt?.firstLine).toBeUndefined();
  });
});
