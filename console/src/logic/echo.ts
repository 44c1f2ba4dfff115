/**
 * Tells apart, among the values that come back to an editor, its own (late echoes of what was typed) from those that others
 * set. Without it, fast typing would be overwritten by what was typed a moment before.
 */
export interface EchoFilter {
  /** The editor tells a value. */
  told: (value: string) => void;
  /** Whether a value that arrives is one that the editor told. */
  isEcho: (value: string) => boolean;
}

export function echoFilter(): EchoFilter {
  let pending: string[] = [];
  return {
    told: (value) => void pending.push(value),
    isEcho(value) {
      const at = pending.lastIndexOf(value);
      // Values told before it were skipped on the way back; after a value of somebody else none of them counts.
      pending = at < 0 ? [] : pending.slice(at + 1);
      return at >= 0;
    },
  };
}
