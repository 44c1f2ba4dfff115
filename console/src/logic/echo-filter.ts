/**
 * Distinguishes values set by others from late echoes of the editor's own output. Without it, an outdated echo would
 * overwrite what the user typed in the meantime.
 */
export interface EchoFilter {
  /** Records a value that the editor emits. */
  record: (value: string) => void;
  /** Whether an incoming value was emitted by the editor. */
  isEcho: (value: string) => boolean;
}

export function echoFilter(): EchoFilter {
  let pending: string[] = [];
  return {
    record: (value) => void pending.push(value),
    isEcho(value) {
      const at = pending.lastIndexOf(value);
      // Older pending values were skipped in rendering. A foreign value invalidates all pending ones.
      pending = at < 0 ? [] : pending.slice(at + 1);
      return at >= 0;
    },
  };
}
