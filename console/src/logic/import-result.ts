/** The result of an import. */
import type { ToolImport } from '../api/types';
import type { ApiImport } from './api-import';
import { candidateArguments } from './import-overlay';

type ImportedTool = ToolImport['created'][number];

/** The tool to test first: one that only reads, and needs few arguments. */
export function firstToTest(
  { created, updated }: Pick<ToolImport, 'created' | 'updated'>,
  { candidates }: Pick<ApiImport, 'candidates'>,
): ImportedTool | undefined {
  const byId = new Map(candidates.map((candidate) => [candidate.temp_id, candidate]));
  // Lower is better. 500 ranks tools that may change data after all that only read; 1,000 ranks unknown tools last.
  const effort = ({ temp_id }: ImportedTool): number => {
    const candidate = byId.get(temp_id ?? '');
    if (!candidate) return 1_000;
    const onlyReads = candidate.http_method === 'GET' || candidate.http_method === 'HEAD';
    return candidateArguments(candidate).filter(({ required }) => required).length + (onlyReads ? 0 : 500);
  };
  return [...created, ...updated].sort((a, b) => effort(a) - effort(b))[0];
}
