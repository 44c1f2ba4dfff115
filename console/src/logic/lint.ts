/** Lint findings about the tools of a server. */
import type { LintFinding, ServerLint } from '../api/types';
import { formatCount, plural } from './format';

const order: Record<LintFinding['level'], number> = { error: 0, warn: 1, info: 2 };

/** Errors first, then warnings and hints; findings of one level stay in their order. */
export function sortFindings(findings: readonly LintFinding[]): LintFinding[] {
  return findings.toSorted((left, right) => order[left.level] - order[right.level]);
}

/** The number of findings of each level. */
export function levelCounts(findings: readonly LintFinding[]): Record<LintFinding['level'], number> {
  const counts = { error: 0, warn: 0, info: 0 };
  for (const { level } of findings) counts[level] += 1;
  return counts;
}

/**
 * The tokens that the tool list costs: `312 tools, 41,220 tokens in every conversation`. If clients search for tools:
 * `312 tools, 430 tokens in every conversation (search; the whole list has 41,220)`.
 */
export function describeListCost({ tokens, conversation, tools }: ServerLint): string {
  const cost = `${plural(tools.length, 'tool')}, ${plural(conversation.tokens, 'token')} in every conversation`;
  if (conversation.searches) return `${cost} (${conversation.discovery}; the whole list has ${formatCount(tokens)})`;
  return conversation.discovery === 'auto' ? `${cost} (auto: all tools fit into the list budget)` : cost;
}
