/** The pasted text, read by the service as it is typed. */
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, isAbort, toApiError } from '../../api/errors';
import type { CurlDraft } from '../../logic/curl-draft';
import { importCurl } from './import-curl';

interface Imported {
  /** The last tools that could be read; they stay while the text is at fault. */
  drafts: CurlDraft[];
  error: ApiError | undefined;
  /** The text is ahead of what is shown. */
  pending: boolean;
}

export interface Importing extends Imported {
  retry: () => void;
}

const pauseMs = 250;
const nothing: Imported = { drafts: [], error: undefined, pending: false };

export function useImport(text: string): Importing {
  const [state, setState] = useState<Imported>(nothing);
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
    // The first reading is of something pasted: nobody is typing.
    const timer = setTimeout(read, state.drafts.length === 0 ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [text, round]);
  return { ...state, retry: () => setRound((before) => before + 1) };
}
