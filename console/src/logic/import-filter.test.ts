import { expect, it } from 'vitest';
import { type CandidateFilter, countMethods, countTags, filterCandidates, noFilter } from './import-filter';
import { candidate } from './testing/candidate-sample';

const warning = { code: 'oauth2_flow', message: '', pointer: '#' };
const candidates = [
  candidate('GET /pets', { tags: ['pet'], warnings: [warning] }),
  candidate('POST /pets', { tags: ['pet', 'write'], conflict: 7, estimated_tokens: 2_001 }),
  candidate('DELETE /old', { deprecated: true, description: 'x'.repeat(2_001) }),
];
const selected = new Set(['GET /pets']);
const operations = (filter: Partial<CandidateFilter>) =>
  filterCandidates(candidates, { ...noFilter, ...filter }, selected).map(({ operation }) => operation);

it('candidates are filtered by tag, method and search together', () => {
  expect(operations({})).toHaveLength(3);
  expect(operations({ tag: 'pet', method: 'POST' })).toEqual(['POST /pets']);
  expect(operations({ search: 'PETS get' })).toEqual(['GET /pets']);
  expect(operations({ tag: 'pe' })).toEqual([]);
});

it('a candidate without http_method has the method of its operation', () => {
  const withoutMethod = [candidate('PUT /pets', { http_method: '' })];
  expect(countMethods(withoutMethod)).toEqual([{ value: 'PUT', count: 1 }]);
  expect(filterCandidates(withoutMethod, { ...noFilter, method: 'PUT' }, selected)).toEqual(withoutMethod);
});

it('each view shows its candidates', () => {
  expect(operations({ view: 'selected' })).toEqual(['GET /pets']);
  expect(operations({ view: 'unselected' })).toEqual(['POST /pets', 'DELETE /old']);
  expect(operations({ view: 'warnings' })).toEqual(['GET /pets']);
  expect(operations({ view: 'taken' })).toEqual(['POST /pets']);
  expect(operations({ view: 'current' })).toEqual(['GET /pets', 'POST /pets']);
  expect(operations({ view: 'deprecated' })).toEqual(['DELETE /old']);
  expect(operations({ view: 'large' })).toEqual(['POST /pets']);
  expect(operations({ view: 'long' })).toEqual(['DELETE /old']);
});

it('tags and methods are counted', () => {
  expect(countTags(candidates)).toEqual([
    { value: 'pet', count: 2 },
    { value: 'write', count: 1 },
  ]);
  expect(countMethods(candidates).map(({ value }) => value)).toEqual(['GET', 'POST', 'DELETE']);
});
