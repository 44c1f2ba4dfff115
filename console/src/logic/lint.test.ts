import { expect, it } from 'vitest';
import type { LintFinding } from '../api/types';
import { levelCounts, sortFindings } from './lint';

function finding(level: LintFinding['level'], message: string): LintFinding {
  return { level, code: 'no_description', message };
}

it('sorts findings by level and keeps their order', () => {
  const findings = [finding('info', 'a'), finding('error', 'b'), finding('warn', 'c'), finding('error', 'd')];
  expect(sortFindings(findings).map(({ message }) => message)).toEqual(['b', 'd', 'c', 'a']);
  expect(levelCounts(findings)).toEqual({ error: 2, warn: 1, info: 1 });
  expect(levelCounts([])).toEqual({ error: 0, warn: 0, info: 0 });
});
