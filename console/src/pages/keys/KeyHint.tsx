/**
 * The first characters of a key. A key that is shorter than a generated one (set by the operator) has only `…` as its
 * hint, which is not shown.
 */
export function KeyHint({ hint }: { hint: string }) {
  return hint === '…' ? null : <code class="muted">{hint}</code>;
}
