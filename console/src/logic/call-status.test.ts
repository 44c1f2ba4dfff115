import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeFailure, hasStatus, isCallStatus, reasons, statusLabel } from './call-status';

it('the labels cover exactly the reasons of the API', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const parameters: { name: string; schema: { enum: string[] } }[] = document.paths['/calls'].get.parameters;
  const known = parameters.find(({ name }) => name === 'status')?.schema.enum ?? [];
  expect(['', 'success', 'failed', ...reasons].sort()).toEqual([...known].sort());
});

it('a failure is named by its reason', () => {
  expect(statusLabel('success', null)).toBe('Success');
  expect(statusLabel('failed', 'timeout')).toBe('Timed out');
  expect(statusLabel('failed', null)).toBe('Failed');
  expect(['upstream_5xx', 'connection_refused', 'dns'].map((reason) => statusLabel('failed', reason))).toEqual([
    'Upstream returned 5xx',
    'Connection refused',
    'DNS lookup failed',
  ]);
  expect(describeFailure('dns')).toContain('does not resolve');
});

it('an unknown reason of a newer service is shown as its identifier', () => {
  expect(statusLabel('failed', 'gone_fishing')).toBe('gone_fishing');
  expect(describeFailure('gone_fishing')).toBeUndefined();
  expect(describeFailure('constructor')).toBeUndefined();
  expect(isCallStatus('toString')).toBe(false);
});

it('live calls are filtered like the call log', () => {
  const late = { outcome: 'failed', reason: 'timeout' };
  expect(hasStatus(late, '')).toBe(true);
  expect(hasStatus(late, 'failed')).toBe(true);
  expect(hasStatus(late, 'timeout')).toBe(true);
  expect(hasStatus(late, 'dns')).toBe(false);
  expect(hasStatus(late, 'success')).toBe(false);
});
