/** Compares the tools of a document with another version, and applies the differences. */
import { useState } from 'preact/hooks';
import { send } from '../../../api/client';
import type { ApiDocument, ToolImport } from '../../../api/types';
import { type Mutation, useMutation } from '../../../api/use-mutation';
import type { ApiImport } from '../../../logic/api-import';
import {
  commitArguments,
  type DocumentDrift,
  type DriftChoice,
  type RefreshSource,
  refreshArguments,
} from '../../../logic/drift';
import { importBody } from '../../../logic/import-request';

export interface Comparison {
  source: RefreshSource;
  drift: DocumentDrift;
  report: ApiImport;
}

export type RefreshResult = ToolImport & {
  drift: DocumentDrift;
  removed?: { tool_id: number; name: string; result: string }[];
};

export interface Refresh {
  comparison: Comparison | undefined;
  result: RefreshResult | undefined;
  compare: Mutation<[RefreshSource], void>;
  apply: Mutation<[DriftChoice], void>;
  reset: () => void;
}

export function useRefresh(document: ApiDocument, onRefreshed: () => void): Refresh {
  const [comparison, setComparison] = useState<Comparison>();
  const [result, setResult] = useState<RefreshResult>();
  const compare = useMutation(async (source: RefreshSource) => {
    setResult(undefined);
    setComparison(undefined);
    const reply = (await refresh(document.id, source, {})) as ApiImport & { drift: DocumentDrift };
    setComparison({ source, drift: reply.drift, report: reply });
  });
  const apply = useMutation(async (choice: DriftChoice) => {
    if (!comparison) return;
    const { source, report } = comparison;
    const others = { ...commitArguments(choice), document_sha256: report.document_sha256 };
    setResult((await refresh(document.id, source, others)) as RefreshResult);
    setComparison(undefined);
    onRefreshed();
  });
  const reset = () => {
    setComparison(undefined);
    setResult(undefined);
    compare.clear();
    apply.clear();
  };
  return { comparison, result, compare, apply, reset };
}

/** The caller casts the response: its type differs between comparison and commit. */
async function refresh(id: number, source: RefreshSource, others: Record<string, unknown>): Promise<unknown> {
  const files = source.kind === 'files' ? source.files : [];
  const request = { arguments: { ...refreshArguments(source), ...others }, files };
  const response = await send('post', '/documents/{id}/refresh', { path: { id }, ...importBody(request) });
  return response.json();
}
