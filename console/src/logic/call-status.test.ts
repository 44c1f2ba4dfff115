import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { explain, hasStatus, isCallStatus, reasons, statusLabel } from './call-status';

it('the words cover exactly the reasons of the API', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const parameters: { name: string; schema: { enum: string[] } }[] = document.paths['/calls'].get.parameters;
  const known = parameters.find(({ name }) => name === 'status')?.schema.enum ?? [];
  expect(['', 'success', 'failed', ...reasons].sort()).toEqual([...known].sort());
});

it('a failure is told by its reason', () => {
  expect(statusLabel('success', null)).toBe('Success');
  expect(statusLabel('failed', 'timeout')).toBe('Timed out');
  expect(statusLabel('failed', null)).toBe('Failed');
  expect(explain('dns')).toContain('does not resolve');
});

it('a reason of a newer service is shown as it is', () => {
  expect(statusLabel('failed', 'gone_fishing')).toBe('gone_fishing');
  expect(explain('gone_fishing')).toBeUndefined();
  expect(explain('constructor')).toBeUndefined();
  expect(isCallStatus('toString')).toBe(false);
});

it('live calls are filtered as the log is', () => {
  const late = { outcome: 'failed', reason: 'timeout' };
  expect(hasStatus(late, '')).toBe(true);
  expect(hasStatus(late, 'failed')).toBe(true);
  expect(hasStatus(late, 'timeout')).toBe(true);
  expect(hasStatus(late, 'dns')).toBe(false);
  expect(hasStatus(late, 'success')).toBe(false);
});
