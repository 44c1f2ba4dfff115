/** A change that a form or a button makes: busy while it runs, its faults put beside the fields they belong to. */
import { useCallback, useRef, useState } from 'preact/hooks';
import { sortErrors } from '../logic/field-errors';
import { type ApiError, isAbort, toApiError } from './errors';

export interface Mutation<Args extends unknown[], T> {
  /** Resolves to the answer, or to undefined where it failed: then `fields` and `general` say why. */
  run: (...args: Args) => Promise<T | undefined>;
  busy: boolean;
  error: ApiError | undefined;
  /** What is wrong, by the field of the form. */
  fields: Record<string, string>;
  /** What is wrong and belongs to no field. */
  general: string | undefined;
  clear: () => void;
}

/** `names`: the parameters that the form has a field for, as the API spells them. */
export function useMutation<Args extends unknown[], T>(
  change: (...args: Args) => Promise<T>,
  names: readonly string[] = [],
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
  const sorted = error ? sortErrors(error.message, error.params, names) : { fields: {}, general: undefined };
  return { run, busy, error, clear, ...sorted };
}
