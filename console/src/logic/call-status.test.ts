import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeFailure, hasStatus, isStatusFilter, reasons, statusLabel } from './call-status';

it('the labels cover exactly the reasons of the API', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const parameters: { name: string; schema: { enum: string[] } }[] = document.paths['/calls'].get.parameters;
  const statuses = parameters.find(({ name }) => name === 'status')?.schema.enum ?? [];
  expect(['', 'success', 'failed', ...reasons].sort()).toEqual([...statuses].sort());
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
  expect(statusLabel('failed', 'new_reason')).toBe('new_reason');
  expect(describeFailure('new_reason')).toBeUndefined();
  expect(describeFailure('constructor')).toBeUndefined();
  expect(isStatusFilter('toString')).toBe(false);
});

it('live calls are filtered like the call log', () => {
  const timedOut = { outcome: 'failed', reason: 'timeout' };
  expect(hasStatus(timedOut, '')).toBe(true);
  expect(hasStatus(timedOut, 'failed')).toBe(true);
  expect(hasStatus(timedOut, 'timeout')).toBe(true);
  expect(hasStatus(timedOut, 'dns')).toBe(false);
  expect(hasStatus(timedOut, 'success')).toBe(false);
});
