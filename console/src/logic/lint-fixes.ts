/** What one click can do about a finding. */
import type { LintFinding, ServerLint } from '../api/types';
import { formatCount, plural } from './format';
import { newToolShaping } from './shaping-form';

export type Fix =
  | { kind: 'rename'; toolId: number; name: string }
  | { kind: 'budget'; toolId: number }
  | { kind: 'pause'; toolIds: readonly number[] }
  | { kind: 'search' }
  | { kind: 'fold' };

export function fixesOf(finding: LintFinding, { tools }: ServerLint): Fix[] {
  const { fix, tool_id: toolId, suggested_name: name } = finding;
  switch (fix) {
    case 'rename':
      return toolId !== undefined && name !== undefined ? [{ kind: 'rename', toolId, name }] : [];
    case 'budget':
      return toolId !== undefined ? [{ kind: 'budget', toolId }] : [];
    case 'pause': {
      // A list over its budget can be searched, too.
      const toolIds = tools.filter(({ used }) => !used).map(({ tool_id }) => tool_id);
      return [{ kind: 'search' }, ...(toolIds.length > 0 ? [{ kind: 'pause' as const, toolIds }] : [])];
    }
    case 'search':
    case 'fold':
      return [{ kind: fix }];
    default:
      return [];
  }
}

export function fixLabel(fix: Fix): string {
  switch (fix.kind) {
    case 'rename':
      return `Rename to ${fix.name}`;
    case 'budget':
      return `Limit to ${formatCount(newToolShaping.max_tokens)} tokens`;
    case 'pause':
      return `Pause ${plural(fix.toolIds.length, 'unused tool')}…`;
    case 'search':
      return 'Switch to search';
    case 'fold':
      return 'Adapt lists to clients';
  }
}

/** The rules of a tool, or those of its server, with a budget. */
export function withBudget(own: unknown, serverDefault: unknown): Record<string, unknown> {
  const rules = own ?? serverDefault ?? {};
  return { ...(typeof rules === 'object' ? rules : {}), max_tokens: newToolShaping.max_tokens };
}
