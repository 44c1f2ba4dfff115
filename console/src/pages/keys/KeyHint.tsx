/** The first characters of a key. The hint of a key that the operator chose is only `…`, and is not shown. */
export function KeyHint({ hint }: { hint: string }) {
  return hint === '…' ? null : <code class="muted">{hint}</code>;
}
