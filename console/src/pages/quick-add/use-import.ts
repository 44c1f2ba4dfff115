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

const pauseMs = 250;
const nothing: ImportState = { drafts: [], error: undefined, pending: false };

export function useImport(text: string): CurlImportQuery {
  const [state, setState] = useState<ImportState>(nothing);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (text.trim() === '') return setState(nothing);
    setState((before) => ({ ...before, pending: true }));
    const ended = new AbortController();
    const read = () =>
      importCurl(text, ended.signal).then(
        (drafts) => setState({ drafts, error: undefined, pending: false }),
        (cause: unknown) => {
          if (ended.signal.aborted || isAbort(cause)) return;
          setState(({ drafts }) => ({ drafts, error: toApiError(cause), pending: false }));
        },
      );
    // The first text is usually pasted, so it is imported without a delay.
    const timer = setTimeout(read, state.drafts.length === 0 ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [text, round]);
  return { ...state, retry: () => setRound((before) => before + 1) };
}
