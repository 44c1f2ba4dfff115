/** Runs a change for a form or a button, and assigns its errors to fields. */
import { useCallback, useRef, useState } from 'preact/hooks';
import { assignErrors } from '../logic/field-errors';
import { type ApiError, isAbort, toApiError } from './errors';

export interface Mutation<Args extends unknown[], T> {
  /** Resolves to the response, or to undefined on failure; `fields` and `general` then hold the errors. */
  run: (...args: Args) => Promise<T | undefined>;
  busy: boolean;
  error: ApiError | undefined;
  /** Errors by form field. */
  fields: Record<string, string>;
  /** Errors that belong to no field. */
  general: string | undefined;
  clear: () => void;
}

/** `fieldNames`: the API parameters that the form has a field for. */
export function useMutation<Args extends unknown[], T>(
  change: (...args: Args) => Promise<T>,
  fieldNames: readonly string[] = [],
): Mutation<Args, T> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const latest = useRef(change);
  latest.current = change;

  const run = useCallback(async (...args: Args): Promise<T | undefined> => {
    setBusy(true);
    setError(undefined);
    try {
      return await latest.current(...args);
    } catch (cause) {
      if (!isAbort(cause)) setError(toApiError(cause));
      return undefined;
    } finally {
      setBusy(false);
    }
  }, []);

  const clear = useCallback(() => setError(undefined), []);
  const assigned = error ? assignErrors(error.message, error.params, fieldNames) : { fields: {}, general: undefined };
  return { run, busy, error, clear, ...assigned };
}
