import { expect, test } from 'vitest';
import { auditKeyName, changeLabel, hasAuditFilter, readAuditFilter } from './audit';

test('values that the API would reject are dropped', () => {
  const filter = readAuditFilter(
    new URLSearchParams('user=x&server=7&object_kind=call&object_id=0&action=update&from=yesterday&to=2026-11-15'),
  );
  expect(filter).toEqual({
    user: undefined,
    server: 7,
    object_kind: '',
    object_id: undefined,
    action: 'update',
    from: '',
    to: '2026-11-15',
  });
  expect(hasAuditFilter(filter)).toBe(true);
  expect(hasAuditFilter(readAuditFilter(new URLSearchParams()))).toBe(false);
});

test('a change has a readable label, even if its kind is unknown', () => {
  expect(changeLabel({ action: 'update', object_kind: 'endpoint_key' })).toBe('Changed: endpoint key');
  expect(changeLabel({ action: 'delete', object_kind: 'identity' })).toBe('Deleted: linked account');
  expect(changeLabel({ action: 'reorder', object_kind: 'server' })).toBe('Reordered the tools of server');
  expect(changeLabel({ action: 'import', object_kind: 'server' })).toBe('Imported tools into server');
  expect(changeLabel({ action: 'archive', object_kind: 'folder' })).toBe('archive: folder');
});

test('an author without a key has no key name, as in a browser session', () => {
  expect(auditKeyName({ key_id: 9, key_name: 'laptop' })).toBe('laptop');
  expect(auditKeyName({ key_id: 9, key_name: null })).toBe('9');
  expect(auditKeyName({ key_id: null, key_name: null })).toBeUndefined();
});
