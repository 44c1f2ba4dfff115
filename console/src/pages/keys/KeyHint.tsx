/** The first characters of a key. Empty for a key that the operator chose. */
export function KeyHint({ hint }: { hint: string }) {
  return hint === '…' ? null : <code class="muted">{hint}</code>;
}
