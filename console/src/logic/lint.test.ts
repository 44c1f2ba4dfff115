import { expect, it } from 'vitest';
import type { LintFinding, ServerLint } from '../api/types';
import { describeListCost, levelCounts, sortFindings } from './lint';

function finding(level: LintFinding['level'], message: string): LintFinding {
  return { level, code: 'no_description', message };
}

it('sorts findings by level and keeps their order', () => {
  const findings = [finding('info', 'a'), finding('error', 'b'), finding('warn', 'c'), finding('error', 'd')];
  expect(sortFindings(findings).map(({ message }) => message)).toEqual(['b', 'd', 'c', 'a']);
  expect(levelCounts(findings)).toEqual({ error: 2, warn: 1, info: 1 });
  expect(levelCounts([])).toEqual({ error: 0, warn: 0, info: 0 });
});

it('the cost of a conversation is the cost of the list that clients get', () => {
  const listed = { tool_id: 1, name: 1, description: 1, schema: 1, total: 3, used: true };
  const lint = (conversation: ServerLint['conversation']): ServerLint => ({
    tokens: 41_220,
    tools: Array.from({ length: 312 }, () => listed),
    findings: [],
    conversation,
  });
  expect(describeListCost(lint({ discovery: 'all', searches: false, tools: 312, tokens: 41_220 }))).toBe(
    '312 tools, 41,220 tokens in every conversation',
  );
  expect(describeListCost(lint({ discovery: 'search', searches: true, tools: 3, tokens: 430 }))).toBe(
    '312 tools, 430 tokens in every conversation (search; the whole list has 41,220)',
  );
  expect(describeListCost(lint({ discovery: 'auto', searches: false, tools: 312, tokens: 41_220 }))).toMatch(/fit/);
});
