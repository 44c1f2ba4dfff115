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
