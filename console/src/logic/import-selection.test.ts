import { expect, it } from 'vitest';
import { candidateRange, initialSelection, selectionState, setSelected, sumSelection } from './import-selection';
import { candidate } from './testing/candidate-sample';

const candidates = [
  candidate('GET /a', { credential: 'token' }),
  candidate('GET /b', { credential: 'token', estimated_tokens: 3_000, conflict: 1 }),
  candidate('GET /c', { deprecated: true }),
];

it('deprecated operations are not selected at first', () => {
  expect([...initialSelection(candidates)]).toEqual(['GET /a', 'GET /b']);
});

it('a change keeps the selection of other candidates', () => {
  const selection = new Set(['GET /a', 'GET /z']);
  expect([...setSelected(selection, candidates.slice(0, 2), false)]).toEqual(['GET /z']);
  expect([...setSelected(selection, candidates.slice(2), true)]).toEqual(['GET /a', 'GET /z', 'GET /c']);
});

it('a range goes in both directions', () => {
  expect(candidateRange(candidates, 2, 1)).toEqual(candidates.slice(1));
  expect(candidateRange(candidates, 0, 0)).toEqual(candidates.slice(0, 1));
});

it('sums count selected candidates only', () => {
  const sums = sumSelection(candidates, new Set(['GET /a', 'GET /b', 'GET /z']));
  expect(sums).toMatchObject({ tools: 2, tokens: 3_100, large: 1, taken: 1 });
  expect([...sums.credentials]).toEqual([['token', 2]]);
});

it('the state of the selection is all, some or none', () => {
  expect(selectionState(candidates, new Set())).toBe('none');
  expect(selectionState(candidates, new Set(['GET /a']))).toBe('some');
  expect(selectionState(candidates.slice(0, 1), new Set(['GET /a', 'GET /z']))).toBe('all');
  expect(selectionState([], new Set(['GET /a']))).toBe('none');
});
