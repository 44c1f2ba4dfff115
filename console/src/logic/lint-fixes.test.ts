import { expect, it } from 'vitest';
import type { LintFinding, ServerLint } from '../api/types';
import { fixesOf, fixLabel, withBudget } from './lint-fixes';

const tool = (tool_id: number, used: boolean) => ({ tool_id, used, name: 1, description: 1, schema: 1, total: 3 });
const lint: ServerLint = {
  tokens: 20_000,
  conversation: { discovery: 'all', searches: false, tools: 3, tokens: 20_000 },
  tools: [tool(1, true), tool(2, false), tool(3, false)],
  findings: [],
};
const finding = (part: Partial<LintFinding>): LintFinding => ({
  level: 'warn',
  code: 'long_name',
  message: '',
  ...part,
});

it('each fix names what it does', () => {
  const labels = (part: Partial<LintFinding>) => fixesOf(finding(part), lint).map(fixLabel);
  expect(labels({})).toEqual([]);
  expect(labels({ fix: 'rename', tool_id: 1, suggested_name: 'list_orders' })).toEqual(['Rename to list_orders']);
  expect(labels({ fix: 'budget', tool_id: 1 })).toEqual(['Limit to 8,000 tokens']);
  expect(labels({ fix: 'search' })).toEqual(['Switch to search']);
  expect(labels({ fix: 'fold', tool_id: 1 })).toEqual(['Adapt lists to clients']);
});

it('a list over its budget can be searched, or its unused tools paused', () => {
  expect(fixesOf(finding({ fix: 'pause' }), lint)).toEqual([{ kind: 'search' }, { kind: 'pause', toolIds: [2, 3] }]);
  expect(fixesOf(finding({ fix: 'pause' }), { ...lint, tools: [] })).toEqual([{ kind: 'search' }]);
});

it('a budget keeps the other rules', () => {
  expect(withBudget(null, undefined)).toEqual({ max_tokens: 8000 });
  expect(withBudget({}, { tables: true })).toEqual({ max_tokens: 8000 });
  expect(withBudget(null, { tables: true })).toEqual({ tables: true, max_tokens: 8000 });
  expect(withBudget({ omit: ['a'], max_tokens: 50_000 }, null)).toEqual({ omit: ['a'], max_tokens: 8000 });
});
