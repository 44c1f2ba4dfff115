import { expect, it } from 'vitest';
import { appliedCount, commitArguments, earlierRevisions, hasDrift, refreshArguments, shortValueText } from './drift';

const tool = (temp_id: string) => ({ operation: `GET /${temp_id}`, temp_id, tool_id: 1, name: temp_id });
const drift = {
  added: [tool('a')],
  removed: [tool('r')],
  changed: [],
  breaking: [
    { ...tool('b'), changes: [] },
    { ...tool('c'), changes: [] },
  ],
  unchanged: 3,
  overlay_orphans: [],
};

it('only accepted breaking changes are applied', () => {
  const choice = { accepted: new Set(['b']), deletesRemoved: true };
  expect(appliedCount(drift, choice)).toBe(3);
  expect(commitArguments(choice)).toEqual({ commit: true, removed: 'delete', selected_temp_ids: ['b'] });
  expect(commitArguments({ accepted: new Set(), deletesRemoved: false })).toEqual({ commit: true, removed: 'pause' });
});

it('without differences there is nothing to apply', () => {
  expect(hasDrift(drift)).toBe(true);
  expect(hasDrift({ ...drift, added: [], removed: [], breaking: [] })).toBe(false);
});

it('the last four earlier versions are stored', () => {
  expect(earlierRevisions(1)).toEqual([]);
  expect(earlierRevisions(3)).toEqual([2, 1]);
  expect(earlierRevisions(9)).toEqual([8, 7, 6, 5]);
});

it('the version to refresh to comes from the stored link, an earlier revision or an upload', () => {
  expect(refreshArguments({ kind: 'link' })).toEqual({});
  expect(refreshArguments({ kind: 'revision', revision: 2 })).toEqual({ revision: 2 });
  expect(refreshArguments({ kind: 'text', text: 'a: 1', fileName: 'a.yaml' })).toEqual({ content: 'a: 1' });
});

it('values are shown as short text', () => {
  expect(shortValueText(null)).toBe('none');
  expect(shortValueText('a')).toBe('a');
  expect(shortValueText(['a'])).toBe('[\n  "a"\n]');
  expect(shortValueText('x'.repeat(1_000))).toHaveLength(401);
});
