import { expect, it } from 'vitest';
import { firstToTest } from './import-result';
import { candidate } from './testing/candidate-sample';

it('a tool that reads and needs few arguments is tested first', () => {
  const input_schema = { properties: { id: {} }, required: ['id'] };
  const candidates = [candidate('POST /a'), candidate('GET /b', { input_schema }), candidate('GET /c')];
  const created = candidates.map(({ temp_id }, index) => ({ tool_id: index + 1, temp_id, name: temp_id }));
  expect(firstToTest({ created, updated: [] }, { candidates })?.name).toBe('GET /c');
  expect(firstToTest({ created: created.slice(0, 2), updated: [] }, { candidates })?.name).toBe('GET /b');
  expect(firstToTest({ created: [], updated: [] }, { candidates })).toBeUndefined();
});
