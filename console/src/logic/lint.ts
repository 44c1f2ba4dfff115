/** The findings of a list of tools. */
import type { LintFinding } from '../api/types';

const order: Record<LintFinding['level'], number> = { error: 0, warn: 1, info: 2 };

/** The worst first; findings of one level stay in their order. */
export function sortFindings(findings: readonly LintFinding[]): LintFinding[] {
  return findings.toSorted((left, right) => order[left.level] - order[right.level]);
}

/** The number of findings of each level. */
export function levelCounts(findings: readonly LintFinding[]): Record<LintFinding['level'], number> {
  const counts = { error: 0, warn: 0, info: 0 };
  for (const { level } of findings) counts[level] += 1;
  return counts;
}
