/** Fixes for lint findings that the user applies with one click. */
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
      // The list exceeds its budget: if clients search for tools instead, this is solved as well.
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

/** The shaping rules of the tool, or else those of its server, with a token limit. */
export function withBudget(own: unknown, serverDefault: unknown): Record<string, unknown> {
  const rules = own ?? serverDefault ?? {};
  return { ...(typeof rules === 'object' ? rules : {}), max_tokens: newToolShaping.max_tokens };
}
