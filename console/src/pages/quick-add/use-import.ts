/** Imports the command while the user types. */
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, isAbort, toApiError } from '../../api/errors';
import type { CurlDraft } from '../../logic/curl-draft';
import { importCurl } from './import-curl';

interface ImportState {
  /** The last successfully imported tools; they stay while the text has an error. */
  drafts: CurlDraft[];
  error: ApiError | undefined;
  /** The text has changed since the last import. */
  pending: boolean;
}

export interface CurlImportQuery extends ImportState {
  retry: () => void;
}

const typingPauseMs = 250;
const noImport: ImportState = { drafts: [], error: undefined, pending: false };

export function useImport(text: string): CurlImportQuery {
  const [state, setState] = useState<ImportState>(noImport);
  const [retryCount, setRetryCount] = useState(0);
  useEffect(() => {
    if (text.trim() === '') return setState(noImport);
    setState((previous) => ({ ...previous, pending: true }));
    const controller = new AbortController();
    const runImport = () =>
      importCurl(text, controller.signal).then(
        (drafts) => setState({ drafts, error: undefined, pending: false }),
        (cause: unknown) => {
          if (controller.signal.aborted || isAbort(cause)) return;
          setState(({ drafts }) => ({ drafts, error: toApiError(cause), pending: false }));
        },
      );
    // The first text is usually pasted, so it is imported without a delay.
    const timer = setTimeout(runImport, state.drafts.length === 0 ? 0 : typingPauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, retryCount]);
  return { ...state, retry: () => setRetryCount((count) => count + 1) };
}
