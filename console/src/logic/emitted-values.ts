/**
 * Distinguishes a value that the page sets from one that the code editor emitted and that a delayed render passes back.
 * Without it, an outdated value would overwrite what the user typed in the meantime.
 */
export interface EmittedValues {
  /** Records a value that the editor emits. */
  record: (value: string) => void;
  /** Returns whether the editor emitted an incoming value. Forgets this value and all that were emitted before it. */
  takeIfEmitted: (value: string) => boolean;
}

export function emittedValues(): EmittedValues {
  let pending: string[] = [];
  return {
    record: (value) => void pending.push(value),
    takeIfEmitted(value) {
      const index = pending.lastIndexOf(value);
      // A render may skip older emitted values, so these are dropped too. A value that the page sets drops all of them.
      pending = index < 0 ? [] : pending.slice(index + 1);
      return index >= 0;
    },
  };
}
